import type { QueuedPrompt } from '@roost/protocol/api/driving';
import { promptId } from '@roost/protocol/ids';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createPromptQueue } from './prompt-queue.ts';

function open() {
	const told: string[] = [];
	let ids = 0;
	const queue = createPromptQueue({
		newId: () => promptId.parse(`p${++ids}`),
		now: () => 7,
		onChange: (prompts: readonly QueuedPrompt[]) => told.push(prompts.map(({ text }) => text).join(' ')),
	});
	return { queue, told };
}

describe('prompts that wait', () => {
	it('leave in the order they came', () => {
		const { queue, told } = open();
		expect(unwrap(queue.add('a'))).toEqual({ id: 'p1', text: 'a', queuedAt: 7 });
		queue.add('b');
		expect(queue.take()?.text).toBe('a');
		expect(queue.take()?.text).toBe('b');
		expect(queue.take()).toBeUndefined();
		expect(told).toEqual(['a', 'a b', 'b', '']);
	});

	it('keep their place when they are changed', () => {
		const { queue } = open();
		for (const text of ['a', 'b', 'c']) queue.add(text);
		unwrap(queue.edit(promptId.parse('p2'), 'B'));
		expect(queue.list().map(({ text }) => text)).toEqual(['a', 'B', 'c']);
	});

	it('can be taken back, but not once they were sent', () => {
		const { queue } = open();
		for (const text of ['a', 'b']) queue.add(text);
		unwrap(queue.cancel(promptId.parse('p2')));
		queue.take();
		for (const late of [queue.cancel(promptId.parse('p1')), queue.edit(promptId.parse('p1'), 'x')]) {
			expect(late).toMatchObject({ ok: false, error: { code: 'not_found' } });
		}
	});

	it('are refused where too many wait, and none is lost', () => {
		const { queue } = open();
		for (let count = 0; count < 50; count += 1) unwrap(queue.add(`${count}`));
		expect(queue.add('one more')).toMatchObject({ ok: false, error: { code: 'conflict' } });
		expect(queue.list()).toHaveLength(50);
	});

	it('are all dropped at once, which is told only where there were any', () => {
		const { queue, told } = open();
		queue.clear();
		queue.add('a');
		queue.clear();
		expect(told).toEqual(['a', '']);
	});
});
