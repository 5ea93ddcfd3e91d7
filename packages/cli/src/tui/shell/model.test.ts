import type { Source } from '@roost/client/world/source';
import type { Wish } from '@roost/client/world/wish';
import type { World } from '@roost/client/world/world';
import { sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { createStyles } from '../screen/styles.ts';
import { createModel } from './model.ts';

const STYLES = { theme: 'dark', colour: true, ascii: false } as const;
const ROOM = { width: 80, height: 20, styles: createStyles(STYLES) };

/** A model on a world that stands still until the test moves it. */
function modelOn(start: Partial<World> = {}) {
	let world = sampleWorld(start);
	const performed: Wish[] = [];
	const heard = { changes: 0, quits: 0 };
	const source: Source = {
		world: () => world,
		onChange: () => {},
		perform: (wish) => performed.push(wish),
		tick: () => {},
		[Symbol.asyncDispose]: async () => {},
	};
	const model = createModel({
		source,
		styles: STYLES,
		copy: async () => 'Copied.',
		onChange: () => {
			heard.changes += 1;
		},
		quit: () => {
			heard.quits += 1;
		},
	});
	const wait = (ms: number) => {
		world = { ...world, now: world.now + ms };
	};
	return { model, heard, performed, wait, press: (name: string) => model.press({ name, text: '' }, ROOM) };
}

describe('the model', () => {
	it('forgets a sentence after five seconds', () => {
		const { model, wait } = modelOn();
		model.say('Copied.');
		wait(4_900);
		expect(model.snapshot().notice).toBe('Copied.');
		wait(200);
		expect(model.snapshot().notice).toBe('');
	});

	it('forgets it at the next key', () => {
		const { model, press } = modelOn();
		model.say('Copied.');
		press('down');
		expect(model.snapshot().notice).toBe('');
	});

	it('asks for a frame when something changed', () => {
		const { model, heard } = modelOn();
		model.say('Something.');
		expect(heard.changes).toBe(1);
	});

	it.each(['q', 'ctrl+c'])('lets the user leave with %s', (key) => {
		const { heard, press } = modelOn();
		press(key);
		expect(heard.quits).toBe(1);
	});

	it('lets the user leave with Ctrl-C from where text is typed', () => {
		const { heard, press } = modelOn();
		press('/');
		press('q');
		expect(heard.quits).toBe(0);
		press('ctrl+c');
		expect(heard.quits).toBe(1);
	});
});
