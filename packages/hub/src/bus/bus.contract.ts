// What the nodes of a hub rely on, over any bus.

import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { type Bus, MOST_MESSAGE, toToken } from './bus.ts';

/** Members of one network, each connected. */
export type BusWorld = AsyncDisposable & { join(): Promise<Bus> };

export function describeBus(name: string, createWorld: () => Promise<BusWorld>): void {
	describe(name, () => {
		it('delivers messages of a subject in order, to every other node that subscribes', async () => {
			await using world = await createWorld();
			const [one, two, three] = [await world.join(), await world.join(), await world.join()];
			const seen: Record<string, string[]> = { one: [], two: [], three: [], other: [] };
			one.subscribe('s', (text) => seen.one?.push(text));
			const end = two.subscribe('s', (text) => seen.two?.push(text));
			three.subscribe('s', (text) => seen.three?.push(text));
			three.subscribe('other', (text) => seen.other?.push(text));
			await settled(one, [two, three]);
			const texts = Array.from({ length: 50 }, (_, at) => `${at} "💚"\n`);
			for (const text of texts) one.publish('s', text);
			await waitFor(() => (seen.two?.length === 50 && seen.three?.length === 50) || undefined, { what: 'the messages' });
			end();
			one.publish('s', 'late');
			await waitFor(() => seen.three?.length === 51 || undefined, { what: 'the last message' });
			expect(seen).toEqual({ one: [], two: texts, three: [...texts, 'late'], other: [] });
		});

		it('answers a request at once if no other node serves its subject', async () => {
			await using world = await createWorld();
			const [one, two] = [await world.join(), await world.join()];
			one.serve('s', async () => 'own');
			two.serve('t', async () => 'other');
			expect(unwrapError(await one.request('s', '', 60_000)).code).toBe('not_found');
		});

		it('carries a request to one of the nodes that serve it, until they end', async () => {
			await using world = await createWorld();
			const [one, two, three] = [await world.join(), await world.join(), await world.join()];
			let calls = 0;
			const ends = [two, three].map((bus) =>
				bus.serve('s', async (text) => {
					calls += 1;
					return `${text}!`;
				}),
			);
			await settled(one, [two, three]);
			const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => one.request('s', `${at}`, 60_000)));
			expect(replies.map(unwrap)).toEqual(Array.from({ length: 20 }, (_, at) => `${at}!`));
			expect(calls).toBe(20);
			for (const end of ends) end();
			await settled(one, [two, three]);
			expect(unwrapError(await one.request('s', '', 60_000)).code).toBe('not_found');
		});

		it('carries a reply that is longer than a message, and an empty one', async () => {
			await using world = await createWorld();
			const [one, two] = [await world.join(), await world.join()];
			const long = 'ä"\n'.repeat(MOST_MESSAGE);
			two.serve('s', async (text) => (text === 'long' ? long : ''));
			await settled(one, [two]);
			expect(unwrap(await one.request('s', 'long', 60_000)) === long).toBe(true);
			expect(unwrap(await one.request('s', 'empty', 60_000))).toBe('');
		});

		it('fails a request without a reply in time, with a broken reply, or that is too long', async () => {
			await using world = await createWorld();
			const [one, two] = [await world.join(), await world.join()];
			two.serve('silent', () => new Promise(() => undefined));
			two.serve('broken', () => Promise.reject(new TypeError('No.')));
			await settled(one, [two]);
			expect(unwrapError(await one.request('silent', '', 1)).code).toBe('timed_out');
			expect(unwrapError(await one.request('broken', '', 60_000)).code).toBe('internal');
			expect(unwrapError(await one.request('silent', 'x'.repeat(MOST_MESSAGE + 1), 60_000)).code).toBe('too_large');
		});

		it('drops a message that is too long, and delivers the next one', async () => {
			await using world = await createWorld();
			const [one, two] = [await world.join(), await world.join()];
			const seen: number[] = [];
			two.subscribe('s', (text) => seen.push(text.length));
			await settled(one, [two]);
			for (const length of [MOST_MESSAGE + 1, MOST_MESSAGE]) one.publish('s', 'x'.repeat(length));
			await waitFor(() => seen.length > 0 || undefined, { what: 'a message' });
			expect(seen).toEqual([MOST_MESSAGE]);
		});

		it('continues when a listener throws', async () => {
			await using world = await createWorld();
			const [one, two] = [await world.join(), await world.join()];
			const seen: string[] = [];
			two.subscribe('s', (text) => {
				seen.push(text);
				if (text === 'first') throw new TypeError('No.');
			});
			await settled(one, [two]);
			one.publish('s', 'first');
			one.publish('s', 'second');
			await waitFor(() => seen.length === 2 || undefined, { what: 'both messages' });
		});

		it('is not connected after it was closed: publishes nothing and refuses requests at once', async () => {
			await using world = await createWorld();
			const [one, two] = [await world.join(), await world.join()];
			two.serve('s', async () => 'reply');
			await settled(one, [two]);
			expect(two.isConnected()).toBe(true);
			await two[Symbol.asyncDispose]();
			expect(two.isConnected()).toBe(false);
			two.publish('t', 'x');
			expect(unwrapError(await two.request('s', '', 60_000)).code).toBe('store_unavailable');
			expect(unwrapError(await one.request('s', '', 60_000)).code).toBe('not_found');
		});

		it('uses any id in a subject', async () => {
			await using world = await createWorld();
			const [one, two] = [await world.join(), await world.join()];
			const ids = ['a.b', 'a *', '>', 'ä', 'plain-1_2'];
			for (const id of ids) two.serve(`s.${toToken(id)}`, async () => id);
			await settled(one, [two]);
			for (const id of ids) expect(unwrap(await one.request(`s.${toToken(id)}`, '', 60_000))).toBe(id);
		});
	});
}

/** What the others subscribed to or ended until now is known to the network. */
async function settled(one: Bus, others: readonly Bus[]): Promise<void> {
	for (const [at, other] of others.entries()) {
		const end = other.serve(`settled.${at}`, async () => 'yes');
		await waitFor(async () => (await one.request(`settled.${at}`, '', 60_000)).ok || undefined, { what: 'the network' });
		end();
	}
}
