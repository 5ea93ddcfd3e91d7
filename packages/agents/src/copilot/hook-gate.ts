// The gate of a driven Copilot: a hook before each call, in a private plugin; files of the user and the project stay unchanged.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, toPinnedArgv } from '@roost/core/process/loader-variables';
import { programFile } from '@roost/core/process/program-files';
import { createLineFramer } from '@roost/machine/lines';
import { writePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { quoteArgv } from '../base/argv.ts';
import { toHookSeconds, toProgramMs } from '../base/ask-timeouts.ts';
import type { GateVerdict } from '../live/gate.ts';
import { type HookCall, parseHookCall, toNativeInput } from './tool-calls.ts';

/** Hook output of Copilot. */
export type HookAnswer = {
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
	const tell = (answer: HookAnswer) => void socket.end(`${JSON.stringify(answer)}\n`);
	// Without an answer the hook denies.
	socket.on('error', () => {});
	socket.on('data', (chunk) => {
		const [frame] = framer.push(Buffer.from(chunk));
		if (!frame) return;
		const call = frame.type === 'line' ? parseHookCall(frame.text) : null;
		if (call) void judge(call).then(tell);
		else tell({ permissionDecision: 'deny', permissionDecisionReason: 'Roost could not read this call.' });
	});
}

/** An allow is final, with the changed input. No output leaves the decision to Copilot. */
export function toHookAnswer(tool: string, verdict: GateVerdict, how: 'announce' | 'permit'): HookAnswer {
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
