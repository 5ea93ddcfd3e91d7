import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesTool, parseMcpTool, serverRuleGlob, toolRuleGlob } from './tool-glob.ts';

describe('tool globs', () => {
	it('match underscores, slashes, dots and line breaks with a star', () => {
		for (const tool of [
			'Bash',
			'mcp__a__b',
			'mcp__a__b/c.d',
			'.x',
			'/x',
			'a\nb',
			'mcp__a b__c',
			'.',
			'..',
			'../x',
			'a/./b',
			'a/../b',
			'a/',
		])
			expect(matchesTool('*', tool)).toBe(true);
		expect(matchesTool('mcp__*', 'mcp__a__b/.c')).toBe(true);
		expect(matchesTool('Bash', 'BashOutput')).toBe(false);
		expect(matchesTool('!Bash', 'Read')).toBe(false);
	});

	it('match only themselves if they are too long', () => {
		const long = `${'x'.repeat(70_000)}*`;
		expect(matchesTool(long, 'xx')).toBe(false);
		expect(matchesTool(long, long)).toBe(true);
	});

	it('match exactly one tool if built from its name', () => {
		fc.assert(
			fc.property(toolName, toolName, (tool, other) => {
				expect(matchesTool(toolRuleGlob(tool), tool)).toBe(true);
				expect(matchesTool(toolRuleGlob(tool), other)).toBe(tool === other);
			}),
			{ numRuns: 1000 },
		);
	});

	it('match all tools of a server but none of a server with a longer name', () => {
		fc.assert(
			fc.property(toolName, toolName, (server, tool) => {
				expect(matchesTool(serverRuleGlob(server), `mcp__${server}__${tool}`)).toBe(true);
				expect(matchesTool(serverRuleGlob(server), `mcp__${server}-2__${tool}`)).toBe(false);
			}),
		);
	});
});

const toolName = fc.string({ unit: fc.constantFrom(...'abZ09_-./ *?[]{}()!+@\\|^$"\'#~,é'), minLength: 1, maxLength: 12 });

describe('MCP tool names', () => {
	it('are split at the first double underscore', () => {
		expect(parseMcpTool('mcp__github__create_issue')).toEqual({ server: 'github', tool: 'create_issue' });
		expect(parseMcpTool('mcp__my_server__a__b')).toEqual({ server: 'my_server', tool: 'a__b' });
		expect(parseMcpTool('mcp___x__a')).toEqual({ server: '_x', tool: 'a' });
	});
	it('prefer the longest known server', () => {
		expect(parseMcpTool('mcp__a__b__c', ['a', 'a__b'])).toEqual({ server: 'a__b', tool: 'c' });
		expect(parseMcpTool('mcp__a__b__c', ['z'])).toEqual({ server: 'a', tool: 'b__c' });
	});
	it('are undefined for other tools', () => {
		for (const name of ['Bash', 'mcp__', 'mcp__a', 'mcp__a__', 'mcp____', 'xmcp__a__b'])
			expect(parseMcpTool(name)).toBeUndefined();
	});
});
