import { readCliSample, readLoginSample } from '@roost/testkit/samples/claude-cli-samples';
import { describe, expect, it } from 'vitest';
import { hideValues, toTerminalLines } from './claude-cli.ts';

describe('claude output', () => {
	it('omits headers, including values that claude did not mask', () => {
		const shown = hideValues(readCliSample('mcp-add-header').stdout, []);
		expect(shown).not.toMatch(/plainvalue|Headers/);
		expect(shown).toMatch(/^Added HTTP MCP server labhttp .*\nFile modified: /);
	});

	it('hides secret values, longest first', () => {
		expect(hideValues('key is secret-long and secret', ['secret', 'secret-long', 'k', ''])).toBe('key is [hidden] and [hidden]');
	});

	it('is reduced to plain text lines when it comes from a terminal', () => {
		const lines = toTerminalLines(readLoginSample().join(''));
		expect(lines).toEqual([
			'Starting authentication for "labauth"…',
			'Visit this URL to authorize:',
			expect.stringMatching(/^http:\/\/127\.0\.0\.1:8999\/authorize\?response_type=code&\S+mcp$/),
			'Authenticated with "labauth". Its tools are now available in Claude Code.',
		]);
	});
});
