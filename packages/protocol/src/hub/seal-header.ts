// The header of a request that a device has signed; apart from the schemas, which a page evaluates later.

/** The seal as base64url of its JSON. */
export const SEAL_HEADER = 'x-roost-seal';
