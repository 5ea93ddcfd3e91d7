import type { InboxAsk } from '@roost/protocol/hub/inbox';
import { runnerId } from '@roost/protocol/ids';
import { sampleAsk } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { pickAsk } from './asks-at-hub.ts';

function ask(runner: string, id: string, over: Partial<InboxAsk> = {}): InboxAsk {
	return { ...sampleAsk(id), runner: { id: runnerId.parse(`id-of-${runner}`), name: runner, online: true }, ...over };
}

const ASKS = [ask('laptop', 'k3f9.1'), ask('laptop', 'k3f9.2'), ask('desktop', 'k3f9.1'), ask('desktop', 'z8w3.4')];

describe('request of one of several runners', () => {
	it.each([
		['z8w3.4', 'desktop'],
		['k3f9.2', 'laptop'],
		['z8', 'desktop'],
		['.2', 'laptop'],
	])('%s is found', (given, runner) => {
		expect(pickAsk(ASKS, given)).toMatchObject({ ok: true, value: { runner: { name: runner } } });
	});

	it('names the runners of an ambiguous id, and asks for the whole id of a part', () => {
		const both =
			'Several runners have a request "k3f9.1": laptop (id-of-laptop), desktop (id-of-desktop). Choose one with --runner.';
		expect(pickAsk(ASKS, 'k3f9.1')).toMatchObject({ ok: false, error: { code: 'usage', message: both } });
		const part = '3 requests match "k3f9". Use the whole ID.';
		expect(pickAsk(ASKS, 'k3f9')).toMatchObject({ ok: false, error: { code: 'usage', message: part } });
	});

	it('matches a part only of pending ones', () => {
		const asks = [ask('laptop', 'k3f9.1', { state: 'denied' })];
		expect(pickAsk(asks, 'k3')).toMatchObject({ ok: false, error: { code: 'not_found' } });
		expect(pickAsk(asks, 'k3f9.1')).toMatchObject({ ok: true });
	});
});
