// What the state of an own request means for its data.

/** Whether the data can be read now. */
export const isReadable = ({ state, access_until: until }) => state === "accepted" && Date.parse(until) > Date.now();

/** Whether the person had accepted: then there may be results. One that ends undecided is decided by its end. */
export const wasAccepted = ({ decided_at: decided, closed_at: closed }) => Boolean(decided) && decided !== closed;
