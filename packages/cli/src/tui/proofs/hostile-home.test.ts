// A record with terminal escape sequences in every text that an agent or a repository can set, shown by every list of the
// command line and by every pane of the real UI at 80x24: none reaches the terminal unescaped.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { createPastClaude, pastAnswer, pastPrompt } from '@roost/testkit/rigs/agents/past-claude';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { KEYS, openTui, type TuiRig } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';

const EVIL =
	'evil\x1b[2J\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x1b\\\x9b2J\r\u202egpj\u202c\u200b\u{e0041}\u2028\u2066x\ufeff\u00ad end';
/** Valid as a file name, and below as a git branch. */
const FOLDER = 'evil\x1b[2J\u202egpj\u202c\u200b\u{e0041}\nend';
const BRANCH = 'evil\u202egpj\u202c\u200b\u{e0041}end';
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000020';
const SOON = 120_000;

it('sanitises hostile text from agents and repositories in the CLI and the terminal UI', { timeout: 240_000 }, async () => {
	await using world = await openWorld();
	const { roost, project, id, env } = world;
	const runs = LISTS.map((words) => words.map((word) => ({ SESSION: id, PROJECT: project })[word] ?? word));
	const seen = await driveCli(runs, { cwd: project, env });
	expect([findHostile(EVIL), seen.length]).toEqual([expect.any(String), runs.length]);
	for (const [at, { stdout, stderr }] of seen.entries()) {
		expect.soft([runs[at], findHostile(stdout), findHostile(stderr)]).toEqual([runs[at], null, null]);
	}
	const shown = seen.map(({ stdout, stderr }) => stdout + stderr);
	expect.soft(shown.filter((text) => text.includes('evil')).length, shown.join('\n---\n')).toBeGreaterThanOrEqual(14);

	await using tui = openTui({ cwd: project, env: { ...env, ...roost.env }, columns: 80, rows: 24 });
	await expectIntact(tui, 'Permission');
	tui.type(KEYS.escape);
	await tui.waitForScreen((text) => placeOf(text).startsWith(' feed '), SOON);
	for (const pane of ['sessions', 'rules', 'past', 'stats', 'tasks', 'help']) {
		tui.type(`:${pane}${KEYS.enter}`);
		await expectIntact(tui, pane);
	}
	tui.type(KEYS.escape);
	await tui.waitForScreen((text) => !placeOf(text).startsWith(' help'), SOON);
	tui.type('S');
	await expectIntact(tui, 'Search');
	tui.type(`evil${KEYS.enter}`);
	await tui.waitForScreen(/hits?, the newest first/, SOON);
	await expectIntact(tui, 'Search');
	expect(findHostile(tui.bytes().replaceAll(OURS, ''))).toBeNull();
});

const LISTS: readonly (readonly string[])[] = [
	['sessions', '--all'],
	['sessions', 'show', 'SESSION'],
	['feed', 'SESSION', '--verbose'],
	['feed', 'SESSION', '--kind', EVIL],
	['asks', '--all'],
	['search', 'evil'],
	['rules'],
	['rules', 'test', '--tool', EVIL, '--input', JSON.stringify({ command: EVIL })],
	['rules', 'test', '--history', '--decision', 'deny', '--tool', '*'],
	['usage', '--by', 'model'],
	['usage', '--by', 'project'],
	['usage', '--by', 'session'],
	['projects', '--scan'],
	['projects', 'show', 'PROJECT'],
	['projects', 'open', 'PROJECT', NATIVE, '--verbose'],
	['projects', 'show', EVIL],
	['hooks', 'status'],
	['agents'],
	['doctor'],
	['status'],
	['verify'],
	['queue', 'SESSION'],
	['allow', EVIL],
	['sessions', 'show', EVIL],
];

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const roost = stack.use(await startRunnerProcess());
	const project = join(roost.folder, FOLDER);
	mkdirSync(join(project, '.claude'), { recursive: true });
	writeFileSync(join(project, '.claude', 'settings.local.json'), JSON.stringify({ [EVIL]: EVIL, hooks: { [EVIL]: [] } }));
	writeFileSync(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { [EVIL]: { command: EVIL } } }));
	execFileSync('git', ['init', '-q', '-b', BRANCH, project]);
	const past = await createPastClaude(join(roost.folder, '.claude'));
	await past.add({ cwd: project, id: NATIVE, lines: [pastPrompt(EVIL), pastAnswer(EVIL), { type: 'summary', summary: EVIL }] });
	await roost.call('POST', '/api/v1/rules', { tool: 'Bash', argsPattern: 'evil\u202egpj *', decision: 'ask', scope: 'user' });

	const agent = await roost.openLaunch({ cwd: project, headless: false });
	const report = (name: string, more: object) =>
		agent.report({ hook_event_name: name, session_id: NATIVE, cwd: project, ...more });
	await report('SessionStart', { source: 'startup', model: EVIL });
	await report('UserPromptSubmit', { prompt: `${EVIL}\n${hostileStrings().slice(0, 40).join('\n')}` });
	const call = { tool_name: `mcp__${EVIL}__${EVIL}`, tool_input: { [EVIL]: EVIL }, tool_use_id: 't1' };
	await report('PreToolUse', call);
	await report('PostToolUseFailure', { ...call, error: EVIL });
	await report('TaskCreated', { task_id: EVIL, task_subject: EVIL });
	await report('SubagentStart', { agent_id: EVIL, agent_type: EVIL });
	await report('Notification', { message: EVIL, title: EVIL });
	await report(EVIL, { [EVIL]: EVIL });
	void report('PermissionRequest', { tool_name: 'Bash', tool_input: { command: EVIL, description: EVIL }, tool_use_id: 't2' });
	await waitFor(async () => (await roost.call('GET', '/api/v1/asks')).body.includes('evil') || undefined, { what: 'the ask' });
	const owned = stack.move();
	return { roost, project, id: agent.sessionId, env: roost.env, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Sequences that the UI itself writes: colours, positions, erasing, and terminal modes. */
const OURS = new RegExp(`${'\x1b'}\\[(?:[\\d;]*[mHGKJ]|\\?[\\d;]+[hl])`, 'gu');
const HOSTILE = /[^\n]{0,20}(?!\n)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029][^\n]{0,20}/u;

function findHostile(text: string): string | null {
	const found = HOSTILE.exec(text.replaceAll(/\r?\n/g, '\n'))?.[0];
	return found === undefined ? null : JSON.stringify(found);
}

/** The UI's first and last lines are in their usual places, and nothing was scrolled away. */
async function expectIntact(tui: TuiRig, place: string): Promise<void> {
	await tui.waitForScreen((text) => placeOf(text).startsWith(` ${place.toLowerCase()}`), SOON);
	const screen = tui.screen();
	expect.soft(screen[0]).toMatch(/^ roost evil/);
	expect.soft(screen[23]).toBe('');
	expect.soft(tui.terminal.scrolledLines()).toBe(0);
}

function placeOf(screen: string): string {
	return screen.split('\n')[22]?.toLowerCase() ?? '';
}
