// `roost claude` in a tmux, with a home and a model of its own: its turns come when the test says so.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createGate } from '../../fakes/gate.ts';
import { apiError } from '../../fakes/model-reply.ts';
import type { ToolResult } from '../../fakes/model-request.ts';
import { type Script, scriptTurns, type Turn } from '../../fakes/script.ts';
import { answerDialog } from '../agents/answer-dialog.ts';
import { putFiles } from '../put-files.ts';
import { roostArgv, roostEnv } from '../runner/roost-cli.ts';
import { createTmuxRig, type TmuxSession } from '../terminal/tmux-rig.ts';
import { waitFor } from '../wait-for.ts';
import { createClaudeRig } from './claude-rig.ts';

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
	/** Until the project has that file. */
	made(name: string): Promise<void>;
	/** What the model was told of its tool, in its call of that number, from 0. */
	toldModel(call: number): Promise<ToolResult | undefined>;
};

/** The machine may be busy; what does not come by then does not come. */
const SOON = 40_000;
const DIALOG = /Do you want to proceed/;

export type RoostClaudeOptions = {
	/** What stands in config.yaml. */
	config?: object;
	/** What `roost` is started with. */
	args?: readonly string[];
	/** In the user's configuration of Claude, and in the repository. */
	user?: Readonly<Record<string, unknown>>;
	project?: Readonly<Record<string, unknown>>;
};

/** The turns by a phrase of the prompt that asks for them. */
export async function openRoostClaude(
	turns: Readonly<Record<string, readonly Turn[]>>,
	{ config, args = ['claude', '--permission-mode', 'manual'], user = {}, project = {} }: RoostClaudeOptions = {},
): Promise<RoostClaude> {
	await using stack = new AsyncDisposableStack();
	const { pass, open: next } = createTurnstile();
	const rig = stack.use(await createClaudeRig({ script: scriptPrompts(turns, pass) }));
	const tmux = stack.use(await createTmuxRig());
	const env = await roostEnv(rig);
	const open = (...args: readonly string[]) => tmux.start(roostArgv(...args), { cwd: rig.project, env });
	await putFiles(rig.configDir, user);
	await putFiles(rig.project, project);
	if (config) await putFiles(env.ROOST_HOME ?? '', { 'config.yaml': config });
	const agent = await open(...args);
	await agent.waitForScreen(/\? for shortcuts|shift\+tab to cycle/, SOON);
	const owned = stack.move();
	const soon = <T>(what: string, fact: () => Promise<T | undefined> | T | undefined) =>
		waitFor(fact, { deadlineMs: SOON, what, seen: agent.screen });
	return {
		agent,
		project: rig.project,
		env,
		open,
		async prompt(text) {
			await agent.type(text);
			await agent.waitForScreen((screen) => screen.includes(text), SOON);
			await agent.key('Enter');
		},
		async answerDialog(key) {
			await agent.waitForScreen(DIALOG, SOON);
			await answerDialog(agent, key, async () => DIALOG.test(await agent.screen()), SOON);
		},
		next,
		async made(name) {
			await soon(name, () => existsSync(join(rig.project, name)) || undefined);
		},
		toldModel: async (call) => (await soon(`call ${call} of the model`, () => rig.model.requests[call])).toolResults.at(-1),
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

/** Lets one through for each time it is opened, before or after that one comes. */
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
