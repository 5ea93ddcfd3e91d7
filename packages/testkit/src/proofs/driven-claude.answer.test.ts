// `roost run` with the real Claude in a real terminal: requests are answered there, or disappear when answered elsewhere.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskRow } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { createGate } from '../fakes/gate.ts';
import { callTool, message, say } from '../fakes/model-reply.ts';
import { type DrivenClaude, openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { roostArgv } from '../rigs/runner/roost-cli.ts';
import { createTmuxRig, type TmuxSession } from '../rigs/terminal/tmux-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const DEADLINE_MS = 180_000;
const COMMANDS = ['touch typed-ahead', 'touch allowed', 'touch always', 'touch always again', 'mkdir elsewhere', 'mkdir wrong'];

describe.skipIf(cannotRun([program('tmux')]))('request of a run in a terminal', { timeout: 120_000 }, () => {
	it('is allowed, denied, made a rule or edited by key, and closes when answered elsewhere', async () => {
		const typedAhead = createGate();
		await using rig = await openDrivenClaude({
			script: async ({ messages }) => {
				const made = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result').length;
				if (made === 0) await typedAhead.opened;
				const command = COMMANDS[made];
				return message(command ? [callTool('Bash', { command, description: 'make a file' })] : [say('All done.')]);
			},
		});
		await using tmux = await createTmuxRig();
		const argv = ['bash', '-c', '"$@" > said; echo "code $?"', 'bash', ...roostArgv('run', 'make them')] as const;
		const pane = await tmux.start(argv, { cwd: rig.claude.project, env: rig.env, cols: 80, rows: 24 });
		await pane.waitForScreen(/session \w+ of claude/, DEADLINE_MS);
		const isMade = (name: string) => existsSync(join(rig.claude.project, name));

		// Keys pressed before the request was visible do not answer it.
		await pane.type('yyy');
		typedAhead.open();
		await asked(pane, 'touch typed-ahead');
		await press(pane, 'n', () => isDecided(rig, 'touch typed-ahead', 'denied'));
		await asked(pane, 'touch allowed');
		await press(pane, 'y', () => isDecided(rig, 'touch allowed', 'allowed'));

		await asked(pane, 'touch always');
		await press(pane, 'a', async () => (await pane.screen()).includes('[s]ession'));
		await press(pane, 's', () => isDecided(rig, 'touch always', 'allowed'));
		expect(unwrap(await rig.api.rules.list())).toMatchObject([{ tool: 'Bash', decision: 'allow', scope: 'session' }]);

		await asked(pane, 'mkdir elsewhere');
		const { id: askId, nonce, sessionId } = await pending(rig, 'mkdir elsewhere');
		unwrap(await rig.api.asks.approve({ id: sessionId, askId, nonce, decision: 'deny' }));
		await pane.waitForScreen(/denied Bash "mkdir elsewhere"/, DEADLINE_MS);

		await asked(pane, 'mkdir wrong');
		await press(pane, 'e', async () => (await pane.screen()).includes('Edit: mkdir wrong'));
		await pane.key('C-u');
		await pane.type('mkdir edited');
		await pane.key('Enter');
		await pane.waitForScreen(/code 0/, DEADLINE_MS);
		expect(readFileSync(join(rig.claude.project, 'said'), 'utf8')).toBe('All done.\n');
		expect(['typed-ahead', 'allowed', 'always', 'again', 'elsewhere', 'wrong', 'edited'].filter(isMade)).toEqual([
			'allowed',
			'always',
			'again',
			'edited',
		]);
	});
});

/** The request is shown in full, with the question below it. */
async function asked(pane: TmuxSession, command: string): Promise<void> {
	await pane.waitForScreen(
		(screen) =>
			screen
				.trimEnd()
				.slice(screen.lastIndexOf(`$ ${command}\n`))
				.endsWith(QUESTION),
		DEADLINE_MS,
	);
}

const QUESTION = 'Allow? [y]es, [n]o, [a]lways, [e]dit:';

/** A key pressed right after the question appears is ignored, so it is pressed until it takes effect. */
async function press(pane: TmuxSession, key: string, isDone: () => Promise<boolean>): Promise<void> {
	await waitFor(
		async () => {
			if (await isDone()) return true;
			await pane.type(key);
			return undefined;
		},
		{ what: `"${key}" to take effect`, deadlineMs: DEADLINE_MS },
	);
}

const allAsks = async ({ api }: DrivenClaude): Promise<readonly AskRow[]> => unwrap(await api.asks.list({ all: true }));

async function isDecided(rig: DrivenClaude, command: string, state: AskRow['state']): Promise<boolean> {
	return (await allAsks(rig)).some((ask) => ask.input.command === command && ask.state === state);
}

async function pending(rig: DrivenClaude, command: string): Promise<AskRow> {
	const find = async () => (await allAsks(rig)).find((ask) => ask.input.command === command && ask.state === 'pending');
	return await waitFor(find, { what: `the request for "${command}"` });
}
