// Everything a frame is drawn from, and the only place it changes: facts from the source, keys from the user.

import type { Source } from '../data/source.ts';
import type { KeyPress } from '../keys/key.ts';
import type { Room } from '../pane.ts';
import { createLook, type Look, type ThemeName } from '../screen/look.ts';
import type { Wish } from '../wish.ts';
import { press, type Shell, startShell } from './shell.ts';

export type Snapshot = { readonly shell: Shell; readonly look: Look; readonly notice: string };

export type Model = {
	snapshot(): Snapshot;
	press(key: KeyPress, room: Room): void;
	say(sentence: string): void;
};

export function createModel(deps: {
	source: Source;
	theme: { theme: ThemeName; colour: boolean; ascii: boolean };
	onChange: () => void;
	quit: () => void;
	copy: (text: string) => void;
}): Model {
	const { source } = deps;
	let snapshot: Snapshot = { shell: startShell(source.world()), look: createLook(deps.theme), notice: '' };

	function change(part: Partial<Snapshot>): void {
		snapshot = { ...snapshot, ...part };
		deps.onChange();
	}

	function perform(wish: Wish): void {
		switch (wish.type) {
			case 'quit':
				deps.quit();
				break;
			case 'copy':
				deps.copy(wish.text);
				break;
			case 'say':
				change({ notice: wish.sentence });
				break;
			case 'theme':
				change({ look: createLook({ ...deps.theme, theme: wish.theme }) });
				break;
			case 'export':
				change({ notice: `Run "roost export ${source.world().open?.id ?? '<session>'}" in another terminal.` });
				break;
			default:
				source.perform(wish);
		}
	}

	return {
		snapshot: () => snapshot,
		press(key, room) {
			const pressed = press(snapshot.shell, key, source.world(), room);
			change({ shell: pressed.shell, notice: '' });
			for (const wish of pressed.wishes) perform(wish);
		},
		say: (notice) => change({ notice }),
	};
}
