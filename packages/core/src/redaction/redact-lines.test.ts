import { describe, expect, it } from 'vitest';
import { redactLines } from './redact-lines.ts';

const hash = () => '0123456789abcdef';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const KEY = [
	'-----BEGIN PRIVATE KEY-----',
	'MIIEvQIBADANBgkqhkiG9w0BAQ',
	'EFAASCBKcwggSjAgEAAoIBAQC7',
	'-----END PRIVATE KEY-----',
];

describe('lines without secrets', () => {
	it('keep everything else', () => {
		const lines = ['const a = 1;', '', 'const b = 2;'];
		expect(redactLines(lines, hash)).toEqual(lines);
		expect(redactLines(['first', `token ${TOKEN} here`, 'last'], hash)).toEqual([
			'first',
			expect.stringMatching(/^token \[redacted:[^\]]+\] here$/),
			'last',
		]);
	});

	it('keep their number where a secret has several lines', () => {
		const redacted = redactLines(['before', ...KEY, 'after'], hash);
		expect(redacted).toHaveLength(KEY.length + 2);
		expect([redacted[0], redacted.at(-1)]).toEqual(['before', 'after']);
		for (const line of KEY.slice(1, 3)) expect(redacted.join('\n')).not.toContain(line);
	});
});
