import { promptId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { createPrompts, toMessageUuid } from './prompts.ts';

const prompt = (text: string) => ({ id: promptId.parse(`id of ${text}`), text });
const [one, two] = [prompt('one'), prompt('two')];

function open() {
	const written: string[] = [];
	const prompts = createPrompts(({ text }, { steers }) => written.push(steers ? `${text} (steers)` : text) > 0);
	return { written, prompts };
}

describe('prompt queue', () => {
	it('sends the next prompt only after the previous turn has ended', () => {
		const { written, prompts } = open();
		prompts.take(one, 'follow-up');
		prompts.take(two, 'follow-up');
		expect(written).toEqual(['one']);
		expect(prompts.taken(toMessageUuid(one.id))).toMatchObject(one);
		prompts.ended(true);
		prompts.next();
		expect(written).toEqual(['one', 'two']);
		expect(prompts.isBusy()).toBe(true);
	});

	it('reports each prompt once, whichever signal arrives first', () => {
		const { prompts } = open();
		prompts.take(one, 'follow-up');
		expect(prompts.taken(toMessageUuid(one.id))).toMatchObject(one);
		expect(prompts.reported('one')).toMatchObject({ prompt: one, isNews: false });
		prompts.take(two, 'steer');
		expect(prompts.reported('two')).toMatchObject({ prompt: two, isNews: true });
		expect(prompts.taken(toMessageUuid(two.id))).toBeUndefined();
	});

	it('distinguishes its prompts from those that Claude generates', () => {
		const { prompts } = open();
		prompts.take(one, 'follow-up');
		expect(prompts.reported('a task has ended')).toEqual({ isNews: true });
	});

	it('steers a running turn, and keeps the prompt if the turn ends too soon', () => {
		const { written, prompts } = open();
		prompts.take(one, 'steer');
		prompts.taken(toMessageUuid(one.id));
		prompts.take(two, 'steer');
		expect(written).toEqual(['one', 'two (steers)']);
		expect(prompts.ended(true)).toBeUndefined();
		expect(prompts.isBusy()).toBe(true);
		expect(prompts.taken(toMessageUuid(two.id))).toMatchObject(two);
	});

	it('counts a prompt as accepted if its turn ends without acknowledgement, unless the turn failed', () => {
		const { prompts } = open();
		prompts.take(one, 'follow-up');
		expect(prompts.ended(false)).toBeUndefined();
		expect(prompts.ended(true)).toMatchObject(one);
		expect(prompts.isBusy()).toBe(false);
	});

	it('rejects prompts if too many are queued', () => {
		const { prompts } = open();
		prompts.take(one, 'follow-up');
		const taken = Array.from({ length: 101 }, (_, at) => prompts.take(prompt(`waits ${at}`), 'follow-up'));
		expect(taken.filter(Boolean)).toHaveLength(100);
	});
});

describe('prompt id in a transcript', () => {
	it('is a stable UUID that differs between prompts', () => {
		expect(toMessageUuid(one.id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
		expect(toMessageUuid(one.id)).toBe(toMessageUuid(promptId.parse('id of one')));
		expect(toMessageUuid(one.id)).not.toBe(toMessageUuid(two.id));
	});
});
