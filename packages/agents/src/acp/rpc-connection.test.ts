import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../base/json-object.ts';
import { connectAcp } from './rpc-connection.ts';

/** An agent whose turns end when the test says so. */
function openAgent() {
	const ends: (() => void)[] = [];
	const out = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
	const stdout = new ReadableStream<Uint8Array>({ start: out.resolve });
	const answer = async (id: unknown, result: object) =>
		(await out.promise).enqueue(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`));
	async function write(data: string | Uint8Array): Promise<number> {
		const message: unknown = JSON.parse(data.toString());
		if (!isJsonObject(message)) return 0;
		if (message.method === 'initialize') await answer(message.id, { protocolVersion: 1 });
		if (message.method === 'session/new') await answer(message.id, { sessionId: 's' });
		if (message.method === 'session/prompt') ends.push(() => void answer(message.id, { stopReason: 'end_turn' }));
		return data.length;
	}
	const turn = (count: number) => waitFor(async () => ends[count - 1], { what: `turn ${count}`, deadlineMs: 20_000 });
	return { connection: connectAcp({ stdin: { write }, stdout, cwd: '/' }), turn };
}

describe('connection state', () => {
	it('stays working until the last prompt has ended', async () => {
		const { connection, turn } = openAgent();
		const status = async () => (await connection.getState()).status;
		await connection.sendPrompt('one');
		await connection.followUp('two');
		(await turn(1))();
		const endSecond = await turn(2);
		expect(await status()).toBe('working');
		endSecond();
		await waitFor(async () => ((await status()) === 'idle' ? true : undefined), { what: 'it to be idle', deadlineMs: 20_000 });
		connection.close();
	});
});
