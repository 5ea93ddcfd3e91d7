// A minimal client for a program that speaks JSON lines, without code of Roost.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isRecord } from '@roost/testkit/fakes/model-request';
import { within } from './timing.ts';

export type Message = Readonly<Record<string, unknown>>;

export type LineClient = AsyncDisposable & {
	send(message: Message): void;
	/** Sends a message with a new id; resolves with the response to that id. */
	ask(message: Message): Promise<Message>;
	/** The next message that matches. */
	next(isIt: (message: Message) => boolean): Promise<Message>;
};

export type LineProgram = {
	readonly argv: readonly [string, ...string[]];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
};

const DEADLINE_MS = 60_000;

/** `reply` returns an immediate response to a message, or undefined. */
export function openLineClient(program: LineProgram, reply: (message: Message) => Message | undefined): LineClient {
	const { argv, cwd, env } = program;
	const [file, ...args] = argv;
	const child = spawn(file, args, { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
	const waiting = new Set<(message: Message) => void>();
	let lastId = 0;

	function send(message: Message): void {
		child.stdin.write(`${JSON.stringify(message)}\n`);
	}

	async function next(isIt: (message: Message) => boolean): Promise<Message> {
		const { promise, resolve } = Promise.withResolvers<Message>();
		const look = (message: Message) => {
			if (isIt(message)) resolve(message);
		};
		waiting.add(look);
		try {
			return await within(DEADLINE_MS, promise, `What ${file} was asked for`);
		} finally {
			waiting.delete(look);
		}
	}

	createInterface({ input: child.stdout }).on('line', (line) => {
		const message: unknown = JSON.parse(line);
		if (!isRecord(message)) return;
		const answer = reply(message);
		if (answer) send(answer);
		for (const look of [...waiting]) look(message);
	});

	return {
		send,
		async ask(message) {
			lastId += 1;
			const id = `bench-${lastId}`;
			const answered = next((content) => content.id === id);
			send({ ...message, id });
			const answer = await answered;
			if (answer.error !== undefined) throw new Error(`${file} refused: ${JSON.stringify(answer.error)}`);
			return answer;
		},
		next,
		async [Symbol.asyncDispose]() {
			const ended = new Promise((resolve) => child.once('exit', resolve));
			child.kill('SIGTERM');
			await ended;
		},
	};
}

/** The text at this path of a message. */
export function textAt(message: unknown, ...path: readonly string[]): string {
	const found = path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), message);
	if (typeof found !== 'string') throw new Error(`There is no ${path.join('.')} in ${JSON.stringify(message)}.`);
	return found;
}
