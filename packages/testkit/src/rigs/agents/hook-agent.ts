// An agent that asks for permission over HTTP or the forwarder, and returns what an agent would see.
import { spawn } from 'node:child_process';
import { FORWARDER } from './observed-launch.ts';

export type Door = 'http' | 'forwarder';

/** `nothing`: no opinion, so the agent's own permissions decide. `failed`: the hook itself failed, which blocks only an enforced agent. */
export type Seen = { saw: 'allow' | 'deny' | 'nothing' | 'failed'; message?: string };

export type HookCall = {
	hooks: { httpUrl: string; socketPath: string; secret: string };
	gate: 'observe' | 'enforce';
	payload: Record<string, unknown>;
	/** The agent's own timeout for its hooks. */
	timeoutMs?: number;
	/** The forwarder's. */
	deadlineMs?: number;
	/** In the place of the forwarder. */
	command?: readonly [string, ...string[]];
};

const TIMEOUT_MS = 60_000;

export function askThrough(door: Door, call: HookCall): Promise<Seen> {
	return door === 'http' ? askOverHttp(call) : askForwarder(call);
}

async function askOverHttp({ hooks, payload, timeoutMs = TIMEOUT_MS }: HookCall): Promise<Seen> {
	try {
		const response = await fetch(hooks.httpUrl, {
			method: 'POST',
			body: JSON.stringify(payload),
			headers: { authorization: `Bearer ${hooks.secret}`, 'content-type': 'application/json' },
			signal: AbortSignal.timeout(timeoutMs),
		});
		const text = await response.text();
		if (!response.ok) return { saw: 'failed', message: `${response.status} ${text}` };
		return response.status === 204 ? { saw: 'nothing' } : readOutput(text);
	} catch (error) {
		return { saw: 'failed', message: String(error) };
	}
}

function askForwarder(call: HookCall): Promise<Seen> {
	const { hooks, payload, gate, timeoutMs = TIMEOUT_MS } = call;
	const [file, ...args] = call.command ?? [process.execPath, FORWARDER.script, String(payload.hook_event_name)];
	const deadline = call.deadlineMs === undefined ? {} : { ROOST_HOOK_DEADLINE_MS: String(call.deadlineMs) };
	const env = { ROOST_HOOK_SOCKET: hooks.socketPath, ROOST_HOOK_SECRET: hooks.secret, ROOST_HOOK_GATE: gate, ...deadline };
	return new Promise((resolve) => {
		// A process group of its own, like an agent's: the runner counts processes of an agent's group as that agent.
		const child = spawn(file, args, { env, timeout: timeoutMs, killSignal: 'SIGKILL', detached: true });
		let stdout = '';
		child.stdout.on('data', (chunk) => {
			stdout += chunk;
		});
		// A forwarder that gave up no longer reads.
		child.stdin.on('error', () => {});
		child.stdin.end(`${JSON.stringify(payload)}\n`);
		child.once('error', (error) => resolve({ saw: 'failed', message: error.message }));
		child.once('close', (code) => {
			if (code !== 0) resolve({ saw: 'failed', message: `exit ${code}` });
			else resolve(stdout === '' ? { saw: 'nothing' } : readOutput(stdout));
		});
	});
}

function readOutput(text: string): Seen {
	const output = at(JSON.parse(text), 'hookSpecificOutput');
	const saw = at(output, 'permissionDecision') ?? at(output, 'decision', 'behavior');
	const message = at(output, 'permissionDecisionReason') ?? at(output, 'decision', 'message');
	if (saw !== 'allow' && saw !== 'deny') return { saw: 'failed', message: `not a decision: ${text.slice(0, 200)}` };
	return { saw, message: typeof message === 'string' ? message : undefined };
}

function at(value: unknown, ...keys: readonly string[]): unknown {
	return keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** One payload that the hook of that name of every agent understands. */
export function anyHookPayload(hook: string, nativeId: string, { cwd, command }: { cwd: string; command: string }) {
	const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'call-1', tool_response: { stdout: 'done' } };
	const copilot = {
		sessionId: nativeId,
		transcriptPath: '/b.jsonl',
		toolName: 'bash',
		toolArgs: { command },
		toolCallId: 'call-1',
	};
	const ends = { reason: 'other', error: 'failed', source: 'resume', stop_hook_active: false, is_interrupt: false };
	const reports = { prompt: 'do it', message: 'look', notification_type: 'idle', agent_id: '', agent_type: 'x' };
	return {
		...call,
		...copilot,
		...ends,
		...reports,
		hook_event_name: hook,
		session_id: nativeId,
		transcript_path: '/b.jsonl',
		cwd,
		tool_calls: [call],
	};
}
