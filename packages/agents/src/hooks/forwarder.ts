// Run by an agent as a command hook: stdin → Roost's socket → stdout. Standalone; always exits 0, silent on failure.

/** The agent's own timeouts are longer: 30 s over the deadline of an ask, else 10 s. */
const UNSTATED_ASK_DEADLINE_MS = 320_000;
const DEADLINE_MS = 8000;
/** An installed hook asks nothing and waits only briefly, except while a runner starts. */
const INSTALLED_DEADLINE_MS = 2000;
const START_MS = 5000;
/** A request without an answer is retried at the next runner; an observed agent is not delayed for long. */
const COMEBACK_EVERY_MS = 200;
const OBSERVED_COMEBACK_MS = 5000;
const MAX_HANG_UPS = 5;
const MAX_BYTES = 8 * 1024 * 1024;

const { ROOST_HOOK_SECRET: launchSecret, ROOST_HOOK_DEADLINE_MS: deadline } = process.env;

/** Set for hooks in a project's settings, which have no launch environment. */
const secretFile = argument('--secret-file');
/** Set for hooks in a user's settings: the folder with the secrets of installed projects. */
const secretsDir = argument('--secrets');
const installed = secretFile !== undefined || secretsDir !== undefined;
const startFile = argument('--start');
/** An argument, because an agent continues when its hook times out, and a repository may set its environment. */
const askDeadlineMs = Number(argument('--wait-ms')) || UNSTATED_ASK_DEADLINE_MS;
/** Set for agents that take a denial without the name of the hook. */
const plain = process.argv.includes('--plain');
const socketPath = installed ? argument('--socket') : process.env.ROOST_HOOK_SOCKET;
/** Installed hooks only observe, whatever the environment says. */
const gate = installed ? 'observe' : process.env.ROOST_HOOK_GATE;

/** From the settings, so that a denial is possible even when stdin is unreadable. */
let hookName = process.argv[2] ?? '';
let ended = false;
/** How often a runner disconnected before it answered. */
let hangUps = 0;
let firstHangUp = 0;

// Launched or driven by Roost: its own hooks report already.
if (installed && (launchSecret || (secretsDir !== undefined && process.env.ROOST_SESSION))) process.exit(0);

// An import would load all of node:net, and the agent waits for each millisecond.
const { createConnection } = process.getBuiltinModule('node:net');

process.on('uncaughtException', () => giveUp('the forwarder failed'));
process.on('unhandledRejection', () => giveUp('the forwarder failed'));
let timer = setTimeout(() => giveUp('nobody answered in time'), deadlineMs());
readInput();

function argument(name: string): string | undefined {
	const at = process.argv.indexOf(name);
	return at < 0 ? undefined : (process.argv[at + 1] ?? '');
}

function deadlineMs(): number {
	if (installed) return INSTALLED_DEADLINE_MS;
	const wanted = Number(deadline);
	if (wanted > 0) return Math.min(wanted, askDeadlineMs);
	return hookName === 'PreToolUse' || hookName === 'PermissionRequest' || hookName === '' ? askDeadlineMs : DEADLINE_MS;
}

function readInput(): void {
	const parts: Buffer[] = [];
	let size = 0;
	process.stdin.on('data', (chunk: Buffer) => {
		size += chunk.length;
		if (size > MAX_BYTES) giveUp('the hook input is too long');
		else parts.push(chunk);
	});
	process.stdin.on('end', () => void forward(Buffer.concat(parts).toString('utf8')));
	process.stdin.on('error', () => giveUp('the hook input could not be read'));
}

async function forward(input: string): Promise<void> {
	const payload = parseObject(input);
	if (typeof payload?.hook_event_name === 'string') hookName = payload.hook_event_name;
	// An unreadable file throws, which gives up.
	const secret = secretFile === undefined ? ((await secretOfProject(payload)) ?? launchSecret) : readSecret(secretFile);
	if (!payload) giveUp('the hook input is not JSON');
	else if (!socketPath || !secret) giveUp('ROOST_HOOK_SOCKET or ROOST_HOOK_SECRET is not set');
	else exchange(socketPath, requestOf(payload, secret), installed ? startFile : undefined);
}

async function secretOfProject(payload: Record<string, unknown> | undefined): Promise<string | null> {
	if (secretsDir === undefined || typeof payload?.cwd !== 'string') return null;
	const { findProjectSecret } = await import('./find-project-secret.ts');
	return findProjectSecret(secretsDir, argument('--agent') ?? '', payload.cwd);
}

function readSecret(path: string): string {
	return process.getBuiltinModule('node:fs').readFileSync(path, 'utf8').trim();
}

/** The secret comes first, so that the server can attribute an unreadable line. */
function requestOf(payload: Record<string, unknown>, secret: string) {
	return {
		secret,
		request_id: `${process.pid}-${Date.now()}-${process.hrtime.bigint()}`,
		ts: Date.now(),
		session_id: nativeIdOf(payload),
		hook_event_name: hookName || 'unknown',
		payload,
	};
}

/** Also in Copilot's form, whose subagents have their own ids and name their session. */
function nativeIdOf({ session_id, parentAgentId, sessionId }: Record<string, unknown>): string {
	const id = session_id ?? parentAgentId ?? sessionId;
	return typeof id === 'string' ? id : '';
}

function exchange(path: string, request: ReturnType<typeof requestOf>, start?: string): void {
	const socket = createConnection(path);
	const parts: Buffer[] = [];
	let size = 0;
	let isUp = false;
	socket.on('connect', () => {
		isUp = true;
	});
	socket.on('error', () => {});
	socket.on('close', () => {
		if (isUp) hangUps += 1;
		if (hangUps > 0) comeBack(path, request);
		else if (start) void startFirst(path, request, start);
		else giveUp('Roost is not running');
	});
	socket.on('data', (chunk: Buffer) => {
		parts.push(chunk);
		size += chunk.length;
		if (size > MAX_BYTES) giveUp('the reply of Roost is too long');
		else if (chunk.includes(0x0a)) read(Buffer.concat(parts).toString('utf8').split('\n', 1)[0] ?? '');
	});
	socket.write(`${JSON.stringify(request)}\n`);

	function read(reply: string): void {
		// A runner that has just started may not have restored its launches yet.
		if (hangUps > 0 && asObject(parseObject(reply)?.error)?.code === 'unauthorized') socket.destroy();
		else take(reply, request.request_id);
	}
}

/** Repeats the request; the next runner knows its outcome. */
function comeBack(path: string, request: ReturnType<typeof requestOf>): void {
	firstHangUp ||= performance.now();
	const waits = !installed && (hookName === 'PreToolUse' || hookName === 'PermissionRequest');
	const isLate = gate !== 'enforce' && performance.now() - firstHangUp > OBSERVED_COMEBACK_MS;
	if (!waits || isLate || hangUps > MAX_HANG_UPS) giveUp('Roost hung up');
	else setTimeout(() => exchange(path, request), COMEBACK_EVERY_MS);
}

async function startFirst(path: string, request: ReturnType<typeof requestOf>, start: string): Promise<void> {
	clearTimeout(timer);
	timer = setTimeout(() => giveUp('nobody answered in time'), START_MS + INSTALLED_DEADLINE_MS);
	const { startRunner } = await import('./start-runner.ts');
	await startRunner(start, path, START_MS);
	exchange(path, request);
}

function take(reply: string, requestId: string): void {
	const envelope = parseObject(reply);
	const result = envelope?.request_id === requestId ? asObject(envelope.payload) : undefined;
	const output = asObject(result?.stdout_json);
	if (result?.action === 'passthrough') end();
	else if (result?.action === 'json_output' && output) end(output);
	else giveUp('the reply of Roost was not understood');
}

/** Without an answer: no opinion, or a denial in enforce mode. */
function giveUp(why: string): void {
	end(
		gate === 'enforce' ? refusal(hookName, `Roost could not decide (${why}), and this session requires its decision`) : undefined,
	);
}

function refusal(name: string, reason: string): object | undefined {
	if (name === 'PreToolUse') {
		const denial = { permissionDecision: 'deny', permissionDecisionReason: reason };
		return plain ? denial : { hookSpecificOutput: { hookEventName: name, ...denial } };
	}
	if (name === 'PermissionRequest') {
		return { hookSpecificOutput: { hookEventName: name, decision: { behavior: 'deny', message: reason } } };
	}
	return undefined;
}

function end(output?: object): void {
	if (ended) return;
	ended = true;
	if (!output) process.exit(0);
	process.stdout.on('error', () => process.exit(0));
	process.stdout.write(JSON.stringify(output), () => process.exit(0));
}

function parseObject(text: string): Record<string, unknown> | undefined {
	try {
		return asObject(JSON.parse(text));
	} catch {
		return undefined;
	}
}

function asObject(value: unknown): Record<string, unknown> | undefined {
	return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
