// The check boxes of the consents in a form: what is not ticked is not consented to.

/** The consents that were ticked, of a form's values. */
export const given = (consents = {}) => ({
  health_data: consents.health_data !== undefined, position: consents.position !== undefined,
});
