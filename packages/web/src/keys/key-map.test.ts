import { describe, expect, it } from 'vitest';
import { ACTIONS } from './actions.ts';
import { isSingleKey, type Press, readPress } from './key-map.ts';

const press = (key: string, held: Partial<Press> = {}): Press => ({
	key,
	ctrlKey: false,
	metaKey: false,
	altKey: false,
	...held,
});

describe('a press of keys', () => {
	it.each(Object.entries(ACTIONS).flatMap(([name, { keys }]) => keys.map((one) => [one, name] as const)))(
		'%s means %s',
		(keys, name) => {
			const presses = keys
				.split(' ')
				.map((one) => (one.startsWith('Mod+') ? press(one.slice(4), { ctrlKey: true }) : press(one)));
			let read = { actions: [] as readonly string[], before: '' };
			for (const one of presses) read = readPress(read.before, one);
			expect(read.actions).toContain(name);
			expect(read.before).toBe('');
		},
	);

	it('after an unfinished sequence means what it means alone', () => {
		expect(readPress('g', press('j')).actions).toEqual(['next']);
		expect(readPress('', press('i')).actions).toEqual(['write']);
	});

	it('with Alt means nothing', () => {
		expect(readPress('', press('j', { altKey: true }))).toEqual({ actions: [], before: '' });
	});

	it('is a single key without ⌘ and Ctrl, except Escape', () => {
		expect(isSingleKey(press('y'))).toBe(true);
		expect(isSingleKey(press('k', { metaKey: true }))).toBe(false);
		expect(isSingleKey(press('Escape'))).toBe(false);
	});
});
