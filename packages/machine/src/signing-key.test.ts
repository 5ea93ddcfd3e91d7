import { describe, expect, it } from 'vitest';
import { createSigningKey, isSignedBy, signText } from './signing-key.ts';

describe('signing key', () => {
	it('signs a text, and no other key or text fits', () => {
		const key = createSigningKey();
		const signature = signText(key, 'text');
		expect(signature).toMatch(/^[\w-]{86}$/);
		expect(isSignedBy(key.publicKey, 'text', signature)).toBe(true);
		expect(isSignedBy(key.publicKey, 'other', signature)).toBe(false);
		expect(isSignedBy(createSigningKey().publicKey, 'text', signature)).toBe(false);
	});

	it('is never proven by an invalid key or signature', () => {
		const key = createSigningKey();
		expect(isSignedBy(key.publicKey, 'text', '')).toBe(false);
		expect(isSignedBy('x', 'text', signText(key, 'text'))).toBe(false);
	});
});
