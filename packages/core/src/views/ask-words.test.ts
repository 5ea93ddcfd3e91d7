import { sampleAsk } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { askOutcome, askSubject } from './ask-words.ts';

const asWritten = (text: string) => text;

describe('request in words', () => {
	it.each([
		[{ state: 'pending' }, 'Bash "npm test" is pending.'],
		[{ state: 'allowed', decidedBy: 'user@web' }, 'user@web allowed Bash "npm test".'],
		[{ state: 'denied', decidedBy: 'rule' }, 'A rule denied Bash "npm test".'],
		[{ state: 'answered' }, 'Someone answered Bash "npm test".'],
		[{ state: 'expired' }, 'Bash "npm test" expired.'],
		[{ state: 'cancelled' }, 'The agent cancelled Bash "npm test".'],
		[{ state: 'answered-elsewhere' }, 'Bash "npm test" was resolved in the agent\'s terminal (reported by the agent).'],
	] as const)('with %j is: %s', (over, sentence) => {
		expect(askOutcome(sampleAsk('a', { tool: 'Bash', input: { command: 'npm test' }, ...over }), asWritten)).toBe(sentence);
	});

	it('shortens the subject as the face needs it', () => {
		const ask = sampleAsk('a', { tool: 'Bash', input: { command: 'npm test' } });
		expect(askSubject(ask, (text) => text.slice(0, 3))).toBe('Bash "npm"');
		expect(askSubject(ask, () => '')).toBe('Bash');
	});
});
