// The real `claude` in a terminal, typed at like a user would: alone, or started by `roost claude`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readStatusFile, type StatusFile } from '@roost/agents/claude/status/status-file';
import { createGate } from '../../fakes/gate.ts';
import { apiError } from '../../fakes/model-reply.ts';
import type { ToolResult } from '../../fakes/model-request.ts';
import { type Script, scriptTurns, type Turn } from '../../fakes/script.ts';
import { putFiles } from '../put-files.ts';
import { roostArgv } from '../runner/roost-cli.ts';
import { createTmuxRig, type TmuxRig, type TmuxSession } from '../terminal/tmux-rig.ts';
import { waitFor } from '../wait-for.ts';
import { type ClaudeRig, openClaudeRig } from './claude-rig.ts';

export type ClaudeTerminal = {
	readonly terminal: TmuxSession;
	/** Null before Claude wrote its status file and after it exited. */
	readStatus(): Promise<StatusFile | null>;
	waitForStatus(status: StatusFile['status']): Promise<StatusFile>;
	/** Types a prompt and sends it. */
	prompt(text: string): Promise<void>;
	/** Presses a key until Claude waits no more. */
	answerDialog(key: string): Promise<void>;
};

export type ClaudeTerminalOptions = {
	readonly args?: readonly string[];
	/** Given to `--settings` as a file. */
	readonly settings?: unknown;
	readonly env?: Readonly<Record<string, string>>;
};

/** Generous, because the machine may be busy: only a failing test takes this long. */
const DEADLINE_MS = 120_000;

/** Resolves when Claude waits for a prompt. It exits with the tmux rig, which must be disposed before the Claude rig. */
export async function openClaudeTerminal(
	rig: ClaudeRig,
	tmux: TmuxRig,
	{ args = ['--permission-mode', 'manual'], settings, env }: ClaudeTerminalOptions = {},
): Promise<ClaudeTerminal> {
	const flags = settings === undefined ? [] : ['--settings', await rig.writeSettings(settings)];
	const terminal = await tmux.start([rig.program, ...flags, ...args], { cwd: rig.project, env: { ...rig.env, ...env } });
	const readStatus = () => readStatusFile(rig.configDir, terminal.pid);
	const waitForStatus: ClaudeTerminal['waitForStatus'] = (status) =>
		waitFor(
			async () => {
				const now = await readStatus();
				return now?.status === status ? now : undefined;
			},
			{
				deadlineMs: DEADLINE_MS,
				what: `claude to be ${status}`,
				seen: async () => `${JSON.stringify(await readStatus())}\n${(await terminal.screen()).trimEnd()}`,
			},
		);
	await waitForStatus('idle');
	// The status says idle a moment before the prompt takes keys.
	await terminal.waitForScreen(/\? for shortcuts/, DEADLINE_MS);
	return {
		terminal,
		readStatus,
		waitForStatus,
		prompt: (text) => sendPrompt(terminal, text),
		async answerDialog(key) {
			// The dialog may be on the screen a moment before the status says so.
			await waitForStatus('waiting');
			await pressUntilTaken(terminal, key, async () => (await readStatus())?.status === 'waiting');
		},
	};
}

async function sendPrompt(terminal: TmuxSession, text: string): Promise<void> {
	await terminal.type(text);
	await terminal.waitForScreen((screen) => screen.includes(text.slice(0, 40)), DEADLINE_MS);
	await terminal.key('Enter');
}

/** Only a lost key is pressed again: a slow agent would take the second one for something else. */
const LOST_KEY_MS = 3_000;

/** A dialog takes no keys in its first moments. */
async function pressUntilTaken(terminal: TmuxSession, key: string, isOpen: () => Promise<boolean>): Promise<void> {
	let pressedAt = Number.NEGATIVE_INFINITY;
	const taken = async () => {
		if (!(await isOpen())) return true;
		if (performance.now() - pressedAt < LOST_KEY_MS) return undefined;
		await terminal.key(key);
		pressedAt = performance.now();
		return undefined;
	};
	await waitFor(taken, { deadlineMs: DEADLINE_MS, everyMs: 100, what: `the dialog to accept ${key}`, seen: terminal.screen });
}

export type RoostClaude = AsyncDisposable & {
	/** The interactive one, which waits for a prompt. */
	readonly agent: TmuxSession;
	readonly project: string;
	readonly env: Readonly<Record<string, string>>;
	/** Another `roost` beside it, in a terminal of its own. */
	open(...args: readonly string[]): Promise<TmuxSession>;
	/** Types a prompt and sends it. */
	prompt(text: string): Promise<void>;
	/** Answers Claude's own permission dialog, once it is on the screen. */
	answerDialog(key: string): Promise<void>;
	/** Lets the model answer once more: every turn after a tool waits for this. */
	next(): void;
	/** Waits until the project has that file. */
	made(name: string): Promise<void>;
	/** The tool result in the model's request of that number, from 0. */
	reportedModel(call: number): Promise<ToolResult | undefined>;
};

const DIALOG = /Do you want to proceed/;

export type RoostClaudeOptions = {
	/** The content of config.yaml. */
	config?: object;
	/** The arguments of `roost`. */
	args?: readonly string[];
	/** Files in the user's configuration of Claude, and in the repository. */
	user?: Readonly<Record<string, unknown>>;
	project?: Readonly<Record<string, unknown>>;
};

/** `turns`: the replies of the model by a phrase of the prompt. */
export async function openRoostClaude(
	turns: Readonly<Record<string, readonly Turn[]>>,
	{ config, args = ['claude', '--permission-mode', 'manual'], user = {}, project = {} }: RoostClaudeOptions = {},
): Promise<RoostClaude> {
	await using stack = new AsyncDisposableStack();
	const { pass, open: next } = createTurnstile();
	const rig = stack.use(await openClaudeRig({ script: scriptPrompts(turns, pass) }));
	const tmux = stack.use(await createTmuxRig());
	const env = rig.roostEnv;
	const open = (...args: readonly string[]) => tmux.start(roostArgv(...args), { cwd: rig.project, env });
	await putFiles(rig.configDir, user);
	await putFiles(rig.project, project);
	if (config) await putFiles(env.ROOST_HOME ?? '', { 'config.yaml': config });
	const agent = await open(...args);
	await agent.waitForScreen(/\? for shortcuts|shift\+tab to cycle/, DEADLINE_MS);
	const owned = stack.move();
	const until = <T>(what: string, fact: () => T | undefined) =>
		waitFor(fact, { deadlineMs: DEADLINE_MS, what, seen: agent.screen });
	return {
		agent,
		project: rig.project,
		env,
		open,
		prompt: (text) => sendPrompt(agent, text),
		async answerDialog(key) {
			await agent.waitForScreen(DIALOG, DEADLINE_MS);
			await pressUntilTaken(agent, key, async () => DIALOG.test(await agent.screen()));
		},
		next,
		async made(name) {
			await until(name, () => existsSync(join(rig.project, name)) || undefined);
		},
		reportedModel: async (call) => (await until(`request ${call} to the model`, () => rig.requests[call])).toolResults.at(-1),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function scriptPrompts(turns: Readonly<Record<string, readonly Turn[]>>, pass: () => Promise<void>): Script {
	const scripts = Object.entries(turns).map(([prompt, list]) => ({ prompt, play: scriptTurns(...list) }));
	return async (request) => {
		if (request.toolResults.length > 0) await pass();
		const script = scripts.find(({ prompt }) => JSON.stringify(request.messages).includes(prompt));
		return script?.play(request) ?? apiError(400, 'invalid_request_error', 'The script has no such prompt.');
	};
}

/** Lets one request through for each time it is opened, before or after that request arrives. */
function createTurnstile() {
	const gates = [createGate()];
	let passed = 0;
	return {
		pass: async () => await gates[passed++]?.opened,
		open() {
			gates.at(-1)?.open();
			gates.push(createGate());
		},
	};
}
