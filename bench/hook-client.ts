// Hook reports over bare sockets: the client costs next to nothing, so that what is measured is the server.
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type HookServer, type NewHookLaunch, startHookServer } from '@roost/agents/claude/hooks/server';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';

export const PAYLOAD = {
	session_id: 'bench',
	transcript_path: '/home/dev/.claude/projects/-home-dev-project/bench.jsonl',
	cwd: '/home/dev/project',
	permission_mode: 'default',
	hook_event_name: 'PostToolUse',
	tool_name: 'Bash',
	tool_input: { command: 'npm test', description: 'Run the tests' },
	tool_response: { stdout: 'x'.repeat(800), stderr: '', interrupted: false },
	tool_use_id: 'toolu_bench',
};

export type RoundTrip = Disposable & (() => Promise<string>);
export type BenchServer = AsyncDisposable & {
	openHttpHook(): Promise<RoundTrip>;
	/** What a hook that is a process needs to report here. */
	env: Record<string, string>;
};

/** A hook server in a directory of its own, with one launch whose every report is listened to. */
export async function openServer(): Promise<BenchServer> {
	await using stack = new AsyncDisposableStack();
	const directory = stack.use(await createTempDir());
	let ids = 0;
	const runDir = join(directory.path, 'run');
	const server = stack.use(unwrap(await startHookServer({ runDir, now: Date.now, newId: () => `bench-${++ids}` })));
	const launch = server.openLaunch({ gate: 'observe' });
	launch.runtime.onEvent(() => {});
	launch.runtime.start();
	const owned = stack.move();
	return {
		openHttpHook: () => openHttpHook(server, launch),
		env: { ROOST_HOOK_SOCKET: server.socketPath, ROOST_HOOK_SECRET: launch.secret },
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Posts the payload on a connection that stays open; the answer is the head of the response. */
async function openHttpHook(server: HookServer, launch: NewHookLaunch): Promise<RoundTrip> {
	const { host, hostname, port, pathname } = new URL(server.httpUrl);
	const body = JSON.stringify(PAYLOAD);
	const head = [
		`POST ${pathname} HTTP/1.1`,
		`host: ${host}`,
		`authorization: Bearer ${launch.secret}`,
		'content-type: application/json',
		`content-length: ${Buffer.byteLength(body)}`,
	];
	return openRoundTrip(Number(port), hostname, `${head.join('\r\n')}\r\n\r\n${body}`, '\r\n\r\n');
}

export function expectNoContent(response: string): void {
	if (!response.startsWith('HTTP/1.1 204 ')) throw new Error(`unexpected answer: ${response}`);
}

/** The floor: the same report as one line to a server that only parses it and answers with a line. */
export async function openEcho(): Promise<AsyncDisposable & { open(): Promise<RoundTrip> }> {
	const request = `${JSON.stringify(PAYLOAD)}\n`;
	const server = createServer((socket) => {
		socket.on('data', (chunk) => {
			const { tool_use_id } = JSON.parse(chunk.toString());
			socket.write(`${JSON.stringify({ tool_use_id })}\n`);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return {
		open: () => openRoundTrip(port, '127.0.0.1', request, '\n'),
		async [Symbol.asyncDispose]() {
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function openRoundTrip(port: number, host: string, request: string, end: string): Promise<RoundTrip> {
	const socket = await connected(connect(port, host));
	const bytes = Buffer.from(request);
	let text = '';
	let done: (answer: string) => void = () => {};
	socket.setNoDelay(true);
	socket.on('data', (chunk) => {
		text += chunk;
		if (!text.endsWith(end)) return;
		const answer = text;
		text = '';
		done(answer);
	});
	const roundTrip = () =>
		new Promise<string>((resolve) => {
			done = resolve;
			socket.write(bytes);
		});
	return Object.assign(roundTrip, { [Symbol.dispose]: () => socket.destroy() });
}

function connected(socket: Socket): Promise<Socket> {
	return new Promise((resolve, reject) => {
		socket.once('connect', () => resolve(socket)).once('error', reject);
	});
}
