// What every response says to a browser, whatever it answers: run nothing foreign, frame nothing, guess nothing, keep nothing.
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	'content-security-policy': "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
	'x-frame-options': 'DENY',
	'x-content-type-options': 'nosniff',
	'cache-control': 'no-store',
	'referrer-policy': 'no-referrer',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
};
