// Sends hook reports over plain sockets: the client costs almost nothing, so the server is measured.
import { connect, type Socket } from 'node:net';

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

/** The URL for reports of a launch, and its secret. */
export type HookDoor = { httpUrl: string; secret: string };

/** Sends one report and returns the response; one at a time. */
export type Report = Disposable & ((payload?: Record<string, unknown>) => Promise<string>);

/** Posts over a persistent connection; returns the head of the response. */
export async function openHttpHook({ httpUrl, secret }: HookDoor): Promise<Report> {
	const { host, hostname, port, pathname } = new URL(httpUrl);
	const head = [
		`POST ${pathname} HTTP/1.1`,
		`host: ${host}`,
		`authorization: Bearer ${secret}`,
		'content-type: application/json',
	].join('\r\n');
	const toRequest = (payload: Record<string, unknown>) => {
		const body = JSON.stringify(payload);
		return `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
	};
	return openReport(Number(port), hostname, toRequest, '\r\n\r\n');
}

/** Sends the same report as one line to a server that parses it and replies with a line. */
export function openLineReport(port: number): Promise<Report> {
	return openReport(port, '127.0.0.1', (payload) => `${JSON.stringify(payload)}\n`, '\n');
}

export function expectNoContent(response: string): void {
	if (!response.startsWith('HTTP/1.1 204 ')) throw new Error(`unexpected response: ${response}`);
}

async function openReport(
	port: number,
	host: string,
	toRequest: (payload: Record<string, unknown>) => string,
	end: string,
): Promise<Report> {
	const socket = await connected(connect(port, host));
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
	const report = (payload: Record<string, unknown> = PAYLOAD) =>
		new Promise<string>((resolve) => {
			done = resolve;
			socket.write(toRequest(payload));
		});
	return Object.assign(report, { [Symbol.dispose]: () => socket.destroy() });
}

function connected(socket: Socket): Promise<Socket> {
	return new Promise((resolve, reject) => {
		socket.once('connect', () => resolve(socket)).once('error', reject);
	});
}
