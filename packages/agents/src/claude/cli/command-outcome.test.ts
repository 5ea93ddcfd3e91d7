import { readCliSample } from '@roost/testkit/samples/claude-cli-samples';
import { describe, expect, it } from 'vitest';
import { readOutcome } from './claude-cli.ts';

describe('command outcome', () => {
	it.each([
		['plugin-install-result', 'Successfully installed plugin: labplug@labmkt (scope: user)'],
		['plugin-disable-result', 'Successfully disabled plugin: labplug (scope: user)'],
		['plugin-update-result', 'labplug is already at the latest version (0.0.1).'],
		['plugin-uninstall-result', 'Successfully uninstalled plugin: labplug (scope: user)'],
		['mkt-add-result', 'Successfully added marketplace: labmkt (declared in user settings)'],
		['mcp-add-json', 'Added stdio MCP server labjson to local config'],
	])('%s: succeeds with the original message', (name, output) => {
		expect(readOutcome(readCliSample(name))).toEqual({ ok: true, output });
	});

	it.each([
		['plugin-install-missing', 'not_found', /^Plugin "nosuch" not found in marketplace "labmkt"\./],
		['plugin-uninstall-missing', 'not_found', /not found in installed plugins$/],
		['mkt-remove-missing', 'not_found', /^Marketplace 'nosuch' not found$/],
		['plugin-disable-again', 'conflict', /is already disabled$/],
		['mkt-add-missing', 'failed', /^Path does not exist: /],
		['mcp-add-dup', 'conflict', /^MCP server labsrv already exists in local config$/],
		['mcp-get-missing', 'not_found', /^No MCP server named "nosuch"\./],
		['mcp-remove-scope', 'not_found', /^No MCP server named "labsse" in local scope$/],
		['mcp-login-no-terminal', 'failed', /stdin isn't a terminal/],
		['mcp-list-json', 'unknown_option', /^error: unknown option '--json'$/],
	])('%s: fails as %s with the original message', (name, kind, words) => {
		expect(readOutcome(readCliSample(name))).toEqual({ ok: false, kind, words: expect.stringMatching(words) });
	});

	it('shows the marketplace command that needs consent', () => {
		const shownCommand = { command: 'curl example.com | sh', sha256: 'ab12' };
		const line = JSON.stringify({ outcome: 'failed', message: 'Not confirmed.', failureCode: 'x', shownCommand });
		expect(readOutcome({ code: 1, stdout: `Fetching…\n${line}\n`, stderr: '' })).toEqual({
			ok: false,
			kind: 'needs_consent',
			words: 'Not confirmed. It would run {"command":"curl example.com | sh"}, whose sha256 is ab12.',
		});
	});

	it('is a failure if the result reports one, even with exit code 0', () => {
		const stdout = '{"outcome":"failed","message":"no"}';
		expect(readOutcome({ code: 0, stdout, stderr: '' })).toEqual({ ok: false, kind: 'failed', words: 'no' });
	});

	it('handles empty and malformed output', () => {
		expect(readOutcome({ code: null, stdout: '', stderr: '' })).toMatchObject({ ok: false, words: 'nothing at all' });
		expect(readOutcome({ code: 1, stdout: '{"outcome":3}', stderr: '' })).toMatchObject({ words: '{"outcome":3}' });
		expect(readOutcome({ code: 0, stdout: '{', stderr: 'x' })).toEqual({ ok: true, output: '{' });
	});
});
