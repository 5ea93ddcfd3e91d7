import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { createRpcPeer, isGone } from './rpc-peer.ts';

function play() {
	const timers = createManualTimers();
	const written: unknown[] = [];
	const asked: unknown[] = [];
	const noticed: unknown[] = [];
	let isOpen = true;
	const peer = createRpcPeer({
		write: (line) => {
			written.push(JSON.parse(line));
			return isOpen;
		},
		timers,
		onNotice: (method, params) => noticed.push([method, params]),
		onRequest: (id, method, _params, answer) => {
			asked.push([id, method]);
			answer({ result: { decision: 'accept' } });
		},
	});
	return { peer, timers, written, asked, noticed, breakPipe: () => (isOpen = false) };
}

describe('RPC peer', () => {
	it('distinguishes incoming requests from responses to its own, even with equal ids', async () => {
		const { peer, written, asked, noticed } = play();
		const answer = peer.request('thread/start', { cwd: '/' });
		expect(peer.take('{"id":1,"method":"item/ask","params":{}}')).toBe(true);
		expect(peer.take('{"method":"turn/started","params":{"a":1}}')).toBe(true);
		expect(peer.take('{"id":1,"result":{"ok":true}}')).toBe(true);
		expect(await answer).toEqual({ ok: true, value: { ok: true } });
		expect([asked, noticed]).toEqual([[[1, 'item/ask']], [['turn/started', { a: 1 }]]]);
		expect(written).toEqual([
			{ id: 1, method: 'thread/start', params: { cwd: '/' } },
			{ id: 1, result: { decision: 'accept' } },
		]);
	});

	it('fails a request on an error response, a timeout, a broken pipe and close', async () => {
		const { peer, timers, breakPipe } = play();
		const refused = peer.request('a', {});
		peer.take('{"id":1,"error":{"code":-1,"message":"no"}}');
		const late = peer.request('b', {}, 1000);
		timers.advance(1000);
		const left = peer.request('c', {});
		breakPipe();
		const broken = peer.request('d', {});
		peer.close();
		const after = peer.request('e', {});
		const results = await Promise.all([refused, late, left, broken, after]);
		expect(results.map((result) => (result.ok ? '' : [result.error.code, isGone(result.error)]))).toEqual([
			['agent_failed', false],
			['timed_out', false],
			['agent_failed', true],
			['agent_failed', true],
			['agent_failed', true],
		]);
	});

	it('limits the number of pending requests', async () => {
		const { peer } = play();
		const many = Array.from({ length: 101 }, () => peer.request('a', {}));
		expect(await many.at(-1)).toMatchObject({ ok: false, error: { code: 'too_large' } });
		peer.close();
		await Promise.all(many);
	});

	it.each(['', '%%%', '[]', '{}', '{"jsonrpc":"2.0"}', '{"id":{}}', 'null'])('does not accept %j as a message', (line) => {
		expect(play().peer.take(line)).toBe(false);
	});

	it('silently accepts a response to an unknown request', () => {
		expect(play().peer.take('{"id":99,"result":{}}')).toBe(true);
	});
});
