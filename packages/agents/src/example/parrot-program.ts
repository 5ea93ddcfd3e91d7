// A coding agent in a hundred lines, for the walk-through in docs/adding-an-agent.md: a loop around a model, spoken to in JSON lines.
// in:  {"type":"prompt","text"} · {"type":"may","id","yes","why"} · {"type":"stop"}
// out: {"type":"ready","session"} · {"type":"word","message","text"} · {"type":"wants","id","command"}
//      {"type":"ran","id","output","ok"} · {"type":"used","model","input","cached","output"} · {"type":"done","how","why"}
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';

type Block = { type: string; id?: string; text: string; json: string };

const count = z.number().default(0);
const usage = z.object({ input_tokens: count, cache_read_input_tokens: count, output_tokens: count });
const event = z.discriminatedUnion('type', [
	z.object({ type: z.literal('content_block_start'), content_block: z.object({ type: z.string(), id: z.string().optional() }) }),
	z.object({
		type: z.literal('content_block_delta'),
		delta: z.object({ text: z.string().default(''), partial_json: z.string().default('') }),
	}),
	z.object({ type: z.literal('message_delta'), usage }),
]);

type Order = { type: string; id: string; text: string; yes: boolean; why: string };

const messages: { role: 'user' | 'assistant'; content: unknown }[] = [];
const permissions = new Map<string, (answer: { yes: boolean; why: string }) => void>();
let stopping = new AbortController();

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function callModel(): Promise<Block[]> {
	const response = await fetch(`${process.env.PARROT_MODEL_URL}/v1/messages`, {
		method: 'POST',
		signal: stopping.signal,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ model: 'parrot-1', max_tokens: 1000, stream: true, messages, tools: [{ name: 'shell' }] }),
	});
	if (!response.ok || !response.body) throw new Error(await response.text());
	const blocks: Block[] = [];
	for await (const line of createInterface({ input: Readable.from(response.body) })) {
		const { data } = event.safeParse(line.startsWith('data: ') ? JSON.parse(line.slice(6)) : null);
		if (data) receive(data, blocks);
	}
	return blocks;
}

function receive(received: z.infer<typeof event>, blocks: Block[]): void {
	const last = blocks.at(-1);
	if (received.type === 'content_block_start') blocks.push({ ...received.content_block, text: '', json: '' });
	if (received.type === 'content_block_delta' && last) {
		last.text += received.delta.text;
		last.json += received.delta.partial_json;
		if (received.delta.text) say({ type: 'word', message: messages.length, text: received.delta.text });
	}
	if (received.type !== 'message_delta') return;
	const { input_tokens: input, cache_read_input_tokens: cached, output_tokens: output } = received.usage;
	say({ type: 'used', model: 'parrot-1', input, cached, output });
}

async function run(call: Block): Promise<{ type: 'tool_result'; tool_use_id: string; content: string }> {
	const id = call.id ?? randomUUID();
	const { command } = readInput(call);
	say({ type: 'wants', id, command });
	const { yes, why } = await new Promise<{ yes: boolean; why: string }>((resolve) => permissions.set(id, resolve));
	if (!yes) return { type: 'tool_result', tool_use_id: id, content: why };
	const { signal } = stopping;
	const output = await new Promise<{ ok: boolean; text: string }>((resolve) =>
		execFile('sh', ['-c', command], { signal }, (error, stdout, stderr) => resolve({ ok: !error, text: stdout + stderr })),
	);
	say({ type: 'ran', id, output: output.text, ok: output.ok });
	return { type: 'tool_result', tool_use_id: id, content: output.text };
}

function readInput({ json }: Block): { command: string } {
	return z.object({ command: z.string() }).parse(JSON.parse(json));
}

async function work(text: string): Promise<void> {
	messages.push({ role: 'user', content: [{ type: 'text', text }] });
	for (;;) {
		const blocks = await callModel();
		messages.push({ role: 'assistant', content: blocks.map(toContent) });
		const calls = blocks.filter(({ type }) => type === 'tool_use');
		if (calls.length === 0) return;
		messages.push({ role: 'user', content: await Promise.all(calls.map(run)) });
	}
}

function toContent(block: Block): object {
	if (block.type === 'text') return { type: 'text', text: block.text };
	return { type: 'tool_use', id: block.id, name: 'shell', input: readInput(block) };
}

function take(line: Order): void {
	if (line.type === 'may') permissions.get(line.id)?.(line);
	if (line.type === 'stop') stopping.abort();
	if (line.type !== 'prompt') return;
	stopping = new AbortController();
	const { signal } = stopping;
	const end = (how: string, why?: string) => say({ type: 'done', how, why });
	const stopped = new Promise<'stopped'>((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
	Promise.race([work(line.text), stopped]).then(
		(how) => end(how ?? 'finished'),
		(error: Error) => (signal.aborted ? end('stopped') : end('failed', error.message)),
	);
}

if (process.argv.includes('--version')) say({ version: '1.0.0' });
else {
	say({ type: 'ready', session: randomUUID() });
	createInterface({ input: process.stdin }).on('line', (line) => take(JSON.parse(line)));
}
