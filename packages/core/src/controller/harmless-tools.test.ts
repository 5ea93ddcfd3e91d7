import { describe, expect, it } from 'vitest';
import { isHarmlessTool } from './harmless-tools.ts';

const ASKED = [
	'Bash BashInput KillShell TaskStop PowerShell Monitor REPL Write Edit MultiEdit NotebookEdit WebFetch WebSearch WebBrowser Skill SlashCommand',
	'Workflow SendMessage CronCreate RemoteTrigger ScheduleWakeup EnterWorktree ExitWorktree ReadMcpResourceTool Config LSP Artifact',
	'mcp__server__read mcp__Read__Read Unheard read READ Reader constructor __proto__',
].flatMap((line) => line.split(' '));

describe('harmless tools', () => {
	it.each(['Read', 'Glob', 'Grep', 'LS', 'BashOutput', 'TodoWrite', 'TaskUpdate', 'AskUserQuestion', 'Agent'])(
		'include %s',
		(tool) => {
			expect(isHarmlessTool(tool)).toBe(true);
		},
	);

	it.each([...ASKED, ''])('do not include %j', (tool) => {
		expect(isHarmlessTool(tool)).toBe(false);
	});

	it('do not include a subagent that works in another place', () => {
		expect(isHarmlessTool('Agent', { prompt: 'x', description: 'x', subagent_type: 'x', model: 'x' })).toBe(true);
		for (const field of ['isolation', 'cwd', 'team_name', 'unheard']) {
			expect(isHarmlessTool('Agent', { prompt: 'x', [field]: 'x' })).toBe(false);
		}
	});
});
