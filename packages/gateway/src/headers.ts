// What every response says to a browser, whatever it answers: run nothing foreign, frame nothing, guess nothing, keep nothing.
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	'content-security-policy': [
		"default-src 'none'",
		...['script', 'style', 'connect', 'img', 'font', 'manifest', 'worker'].map((kind) => `${kind}-src 'self'`),
		...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
		"require-trusted-types-for 'script'",
		'trusted-types roost',
	].join('; '),
	'x-frame-options': 'DENY',
	'x-content-type-options': 'nosniff',
	'cache-control': 'no-store',
	'referrer-policy': 'no-referrer',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
};
