// What a device signs to log in; apart from the schemas, because a page evaluates them later.

export type SignedPurpose = 'register' | 'login';

/** The text that a device signs. No part contains a newline, so no signature fits a second purpose, origin or subject. */
export function toSignedText(signed: {
	purpose: SignedPurpose;
	origin: string;
	/** The public key for `register`, else the device. */
	subject: string;
	/** The ticket for `register`. */
	challenge: string;
}): string {
	return ['roost-device-1', signed.purpose, signed.origin, signed.subject, signed.challenge].join('\n');
}
