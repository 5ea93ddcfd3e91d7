// GitHub Copilot, driven over ACP, with a hook in a private plugin as the gate and its event file for usage.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isHarmlessTool } from '@roost/core/controller/harmless-tools';
import { type Program, toPinnedArgv } from '@roost/core/process/loader-variables';
import { programFile } from '@roost/core/process/program-files';
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { USAGE_REPORT } from '@roost/core/runtime/event';
import { createLineFramer } from '@roost/machine/lines';
import { writePrivateFile } from '@roost/machine/private-file';
import { realTimers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { AcpCalls, NativeCall } from '../acp/acp-calls.ts';
import type { Initialized } from '../acp/acp-messages.ts';
import type { AcpExtras, Prepared } from '../acp/acp-wire.ts';
import { createAcpAgent, type Report } from '../acp/open-acp-agent.ts';
import { quoteArgv } from '../base/argv.ts';
import { DEFAULT_ASK_MS, toHookSeconds, toProgramMs } from '../base/ask-timeouts.ts';
import type { GateVerdict } from '../live/gate.ts';
import type { DriveDeps } from '../live/live-agent.ts';
import type { TurnEnd } from '../live/turns.ts';
import { shownName } from '../repository/json-file.ts';
import { isTrustedFolder, refuseRepositoryHooks, repositoryServers } from './repository.ts';
import { createSessionEvents, type SessionEvents, sessionEventsPath } from './session-events.ts';
import { type HookCall, parseHookCall, toNativeInput, toNormalTool } from './tool-calls.ts';

export type CopilotAgentDeps = DriveDeps & {
	askMs?: number | undefined;
};

export function createCopilotAgent(deps: CopilotAgentDeps): DrivableAgent {
	return createAcpAgent({
		...deps,
		agent: 'copilot',
		title: 'Copilot',
		usualKey: 'COPILOT_GITHUB_TOKEN',
		argv: (request) => [
			...deps.command,
			'--acp',
			'--no-auto-update',
			...(request.model === undefined ? [] : [`--model=${request.model}`]),
		],
		capabilities: { gate: { gated: true } },
		extras: (request, report) => createExtras(deps, request, report),
	});
}

/** A hook may arrive before the update about its call. */
const NEWS_MS = 10_000;
const UNKNOWN_CALL: GateVerdict = { type: 'deny', message: 'Copilot did not report this call.' };

function createExtras(deps: CopilotAgentDeps, request: DrivenRequest, report: Report): AcpExtras {
	const { timers = realTimers } = deps;
	const env = deps.env(request.session ?? '');
	const waiting = new Set<() => void>();
	let events: SessionEvents | undefined;
	let caughtUp: Promise<unknown> | undefined;

	async function judge(calls: AcpCalls, hook: HookCall): Promise<HookAnswer> {
		const { tool: tool_name, input: tool_input } = toNormalTool(hook.toolName, hook.input);
		const as = { tool_name, tool_input, native_tool_name: hook.toolName };
		const how = isHarmlessTool(tool_name) ? 'announce' : 'permit';
		const judged = () => calls.judge((call) => isSame(call, hook), as, how);
		const verdict = await (judged() ?? whenBegun(judged));
		return toHookAnswer(hook.toolName, verdict, how);
	}

	/** A call that never begins is denied. */
	function whenBegun(judged: () => Promise<GateVerdict> | undefined): Promise<GateVerdict> {
		const { promise, resolve } = Promise.withResolvers<GateVerdict>();
		const settle = (verdict: GateVerdict | Promise<GateVerdict>) => {
			waiting.delete(look);
			forget();
			resolve(verdict);
		};
		const look = () => {
			const verdict = judged();
			if (verdict) settle(verdict);
		};
		const forget = timers.after(NEWS_MS, () => settle(UNKNOWN_CALL));
		waiting.add(look);
		return promise;
	}

	async function prepare(_request: DrivenRequest, calls: AcpCalls): Promise<Result<Prepared>> {
		const trusted = await isTrustedFolder(env, request.cwd);
		const refusal = await refuseRepositoryHooks(request.cwd, { trusted });
		if (refusal !== null) return err(new AppError('denied', refusal));
		const servers = await repositoryServers(request.cwd);
		if (!servers.ok) return servers;
		const gate = await openHookGate((hook) => judge(calls, hook), deps.askMs ?? DEFAULT_ASK_MS);
		const withoutServers = servers.value.map((name) => `--disable-mcp-server=${name}`);
		return gate.ok ? ok({ argv: [...withoutServers, ...gate.value.argv], env: {}, release: gate.value.close }) : gate;
	}

	async function afterTurn(_nativeId: string, end: TurnEnd): Promise<TurnEnd> {
		await caughtUp;
		const news = await events?.read();
		if (!news) return end;
		report(USAGE_REPORT, { by_model: news.usage });
		const why = news.errors.at(-1);
		// ACP reports a failed model only as the end of the turn.
		return why === undefined || end.type !== 'completed' ? end : { type: 'failed', error: 'api_error', why };
	}

	return {
		prepare,
		accept: refuseVersion,
		describe(nativeId) {
			const transcriptPath = sessionEventsPath(env, nativeId);
			events = createSessionEvents(transcriptPath);
			// Skips errors from before it was resumed.
			caughtUp = events.read();
			return { nativeId, transcriptPath, model: request.model ?? env.COPILOT_MODEL };
		},
		callBegan() {
			for (const look of [...waiting]) look();
		},
		refusePrompt: refuseSwitch,
		reportsUsage: true,
		afterTurn,
	};
}

/** Older versions are not known to run plugin hooks, and might bypass the gate. */
const OLDEST_COPILOT = '1.0.102';

function refuseVersion({ agentInfo }: Initialized): string | null {
	if (agentInfo?.name !== 'Copilot')
		return `The program that was started as Copilot says that it is "${shownName(agentInfo?.name ?? 'nobody', 60)}".`;
	const { version = '0' } = agentInfo;
	if (version.localeCompare(OLDEST_COPILOT, 'en', { numeric: true }) >= 0) return null;
	return `Copilot ${shownName(version, 30)} is too old: update it to ${OLDEST_COPILOT} or newer (copilot update).`;
}

/** The hook has no call id, so the input is compared. */
function isSame(call: NativeCall, hook: HookCall): boolean {
	return JSON.stringify(call.rawInput ?? {}) === JSON.stringify(hook.input);
}

/** Slash commands that would disable asking. */
const SWITCHES: ReadonlySet<string> = new Set(
	'allow-all yolo permissions autopilot add-dir sandbox reset-allowed-tools'.split(' '),
);

/** Null for other prompts. */
export function refuseSwitch(prompt: string): string | null {
	const name = /^\s*\/([\w-]+)/.exec(prompt)?.[1]?.toLowerCase();
	if (name === undefined || !SWITCHES.has(name)) return null;
	return `/${name} would change what Copilot asks about: change the permission mode of the session instead.`;
}

/** Hook output of Copilot. */
type HookAnswer = {
	permissionDecision?: 'allow' | 'deny';
	permissionDecisionReason?: string;
	modifiedArgs?: Record<string, unknown>;
};

type HookGate = {
	readonly argv: readonly string[];
	/** Denies further calls, and removes the files. */
	close(): void;
};

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MAX_SOCKETS = 64;

/** Copilot continues when a hook times out; the hook denies before that. */
export async function openHookGate(judge: (call: HookCall) => Promise<HookAnswer>, askMs: number): Promise<Result<HookGate>> {
	try {
		const dir = await mkdtemp(join(tmpdir(), 'roost-copilot-'));
		const socketPath = join(dir, 's');
		const server = createServer((socket) => serve(socket, judge));
		server.maxConnections = MAX_SOCKETS;
		await listen(server, socketPath);
		const plugin = writeHookPlugin(dir, {
			preToolUse: {
				program: [process.execPath, programFile('copilotGate'), socketPath, String(toProgramMs(askMs))],
				timeoutSec: toHookSeconds(askMs),
			},
		});
		if (!plugin.ok) return plugin;
		return ok({
			argv: plugin.value.argv,
			close() {
				server.close();
				// A leftover is a small folder in the temporary directory.
				void rm(dir, { recursive: true, force: true }).catch(() => {});
			},
		});
	} catch (cause) {
		return err(
			new AppError('cannot_start', 'The gate of Copilot could not be opened: is the temporary directory writable?', { cause }),
		);
	}
}

function listen(server: Server, path: string): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once('error', reject);
	server.listen(path, () => {
		server.off('error', reject);
		server.on('error', () => {});
		resolve();
	});
	return promise;
}

function serve(socket: Socket, judge: (call: HookCall) => Promise<HookAnswer>): void {
	const framer = createLineFramer(MAX_LINE_BYTES);
	const reply = (answer: HookAnswer) => void socket.end(`${JSON.stringify(answer)}\n`);
	// Without an answer the hook denies.
	socket.on('error', () => {});
	socket.on('data', (chunk) => {
		const [frame] = framer.push(Buffer.from(chunk));
		if (!frame) return;
		const call = frame.type === 'line' ? parseHookCall(frame.text) : null;
		if (call) void judge(call).then(reply);
		else reply({ permissionDecision: 'deny', permissionDecisionReason: 'Roost could not read this call.' });
	});
}

/** An allow is final, with the changed input. No output leaves the decision to Copilot. */
function toHookAnswer(tool: string, verdict: GateVerdict, how: 'announce' | 'permit'): HookAnswer {
	if (verdict.type === 'deny') return { permissionDecision: 'deny', permissionDecisionReason: verdict.message };
	if (verdict.updatedInput) return { permissionDecision: 'allow', modifiedArgs: toNativeInput(tool, verdict.updatedInput) };
	return how === 'permit' ? { permissionDecision: 'allow' } : {};
}

/** Copilot continues when a hook times out. */
export type PluginHook = { program: Program; timeoutSec: number };

type HookPlugin = { argv: readonly string[]; files: readonly string[] };

/** By Copilot's event names. */
export function writeHookPlugin(dir: string, hooks: Readonly<Record<string, PluginHook>>): Result<HookPlugin> {
	const entries = Object.entries(hooks).map(([event, { program, timeoutSec }]) => [
		event,
		[{ type: 'command', bash: quoteArgv(toPinnedArgv(program)), timeoutSec }],
	]);
	const manifest = { name: 'roost', version: '1.0.0', description: 'Asks Roost before each call', hooks: 'hooks.json' };
	const written = writePrivateFile(dir, { version: 1, hooks: Object.fromEntries(entries) }, 'hooks.json');
	if (!written.ok) return written;
	const described = writePrivateFile(dir, manifest, 'plugin.json');
	if (!described.ok) return described;
	return ok({ argv: [`--plugin-dir=${dir}`], files: [written.value, described.value] });
}
