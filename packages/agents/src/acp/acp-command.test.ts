import { hostileStrings } from '@roost/testkit/corpora/hostile-strings';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { isAcpName, parseAcpName } from '../other-agents.ts';

describe('ACP agent name', () => {
	it('is the command with normalized spaces', () => {
		expect(unwrap(parseAcpName('acp:gemini --acp'))).toEqual({ name: 'acp:gemini --acp', argv: ['gemini', '--acp'] });
		expect(unwrap(parseAcpName('acp:  gemini   --acp '))).toEqual({ name: 'acp:gemini --acp', argv: ['gemini', '--acp'] });
		expect(unwrap(parseAcpName('acp:/opt/a/b --model=x/y:1 @z')).argv).toEqual(['/opt/a/b', '--model=x/y:1', '@z']);
		expect([isAcpName('acp:x'), isAcpName('claude'), isAcpName('xacp:y')]).toEqual([true, false, false]);
	});

	it.each([
		['', 'expected a program'],
		['   ', 'expected a program'],
		[`x ${'y'.repeat(200)}`, 'at most 200'],
		["gemini 'a b'", 'plain words'],
		['gemini; ls', 'plain words'],
		['gemini\n--acp', 'plain words'],
		['--acp', 'the first word is the program'],
		['./gemini', 'an absolute path'],
		['node_modules/.bin/gemini', 'an absolute path'],
		['../gemini', 'an absolute path'],
	])('is rejected with a reason: %j', (command, words) => {
		const { code, message } = unwrapError(parseAcpName(`acp:${command}`));
		expect(code).toBe('bad_request');
		expect(message).toContain(words);
	});

	it('accepts no hostile string with characters that are special to a shell', () => {
		for (const { text } of hostileStrings('/canary')) {
			const parsed = parseAcpName(`acp:${text}`);
			if (parsed.ok) expect(parsed.value.argv.join(' ')).toMatch(/^[\w@%+=:,./ -]+$/);
		}
	});
});
