// Passkeys of this browser (W3C WebAuthn): bytes go to and from the API in base64url.

/** Passkeys belong to a name: at an address of numbers browsers have none. */
export const hasPasskeys = () => typeof PublicKeyCredential === "function" && Boolean(navigator.credentials)
  && !/^[\d.]+$|^\[/.test(location.hostname);

/** Whether the person has cancelled, has waited too long, or the authenticator may not be used here. */
export const isCancelled = (error) => error instanceof DOMException;

const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const credentials = (ids) => ids.map((id) => ({ type: "public-key", id: bytes(id) }));

/** A new passkey for the options of `POST /me/passkeys/challenges`. Throws a `DOMException`. */
export async function createPasskey(options) {
  const { response } = await navigator.credentials.create({
    publicKey: {
      challenge: bytes(options.challenge), rp: { id: options.rp_id, name: "TrackMe" },
      user: { id: bytes(options.user_id), name: options.user_name, displayName: options.user_name },
      pubKeyCredParams: options.algorithms.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: credentials(options.credential_ids), attestation: "none", timeout: 120_000,
      authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
    },
  });
  return { client_data: text(response.clientDataJSON), attestation_object: text(response.attestationObject) };
}

/** What a passkey signs for a log-in; `request` is the `passkey` of a refused one. Throws a `DOMException`. */
export async function signWithPasskey(request) {
  const { rawId, response } = await navigator.credentials.get({
    publicKey: {
      challenge: bytes(request.challenge), rpId: request.rp_id, allowCredentials: credentials(request.credential_ids),
      userVerification: "preferred", timeout: 120_000,
    },
  });
  return {
    credential_id: text(rawId), client_data: text(response.clientDataJSON),
    authenticator_data: text(response.authenticatorData), signature: text(response.signature),
  };
}
