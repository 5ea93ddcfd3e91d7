// The terminal UI without a terminal: keys and facts in, wishes and scenes out, with a manual clock.
import { focusRoom, type Scene } from '@roost/cli/tui/frame';
import type { Leaving, Wish } from '@roost/cli/tui/pane';
import { createStyles } from '@roost/cli/tui/screen/styles';
import { createModel } from '@roost/cli/tui/shell/model';
import type { World } from '@roost/client/world/world';
import type { AskRow } from '@roost/protocol/ask';

export type HeadlessTui = {
	/** By name, one after the other: `y`, `enter`, `shift+tab`. */
	press(...keys: string[]): void;
	/** Key by key. */
	type(text: string): void;
	paste(text: string): void;
	/** An update of the runner. */
	report(part: Partial<World>): void;
	/** An ask was decided. */
	decide(ask: AskRow, over: Partial<AskRow>): void;
	wait(ms: number): void;
	world(): World;
	scene(): Scene;
	/** Where the user went. */
	left(): Leaving | undefined;
	/** The wishes since the last call. */
	wishes(): Wish[];
};

const STYLES = { theme: 'dark', colour: false, ascii: true } as const;

export function openHeadlessTui(start: World, window = { columns: 80, rows: 24 }): HeadlessTui {
	let world = start;
	let wishes: Wish[] = [];
	let left: Leaving | undefined;
	let changed = () => {};
	const styles = createStyles(STYLES);

	function report(part: Partial<World>): void {
		world = { ...world, ...part };
		changed();
	}

	const model = createModel({
		styles: STYLES,
		onChange: () => {},
		quit: (to) => {
			left = to;
		},
		copy: async () => '',
		source: {
			world: () => world,
			onChange: () => {},
			tick: () => changed(),
			perform(wish) {
				wishes.push(wish);
				if (wish.type === 'approve' || wish.type === 'answer') report({ answered: new Set([...world.answered, wish.ask.id]) });
			},
			async [Symbol.asyncDispose]() {},
		},
	});
	changed = model.observe;
	changed();

	const press = (name: string, text: string) => model.press({ name, text }, focusRoom(model.snapshot().shell, window, styles));

	return {
		press(...keys) {
			for (const key of keys) press(key, key === 'space' ? ' ' : key.length === 1 ? key : '');
		},
		type(text) {
			for (const character of text) press(character === ' ' ? 'space' : character, character);
		},
		paste: (text) => press('paste', text),
		report,
		decide(ask, over) {
			const decided = new Map(world.decided).set(ask.id, { ...ask, ...over });
			report({ asks: world.asks.filter(({ id }) => id !== ask.id), decided });
		},
		wait: (ms) => report({ now: world.now + ms }),
		world: () => world,
		scene: () => ({ shell: model.snapshot().shell, world, notice: model.snapshot().notice }),
		left: () => left,
		wishes() {
			const made = wishes;
			wishes = [];
			return made;
		},
	};
}
