// The state that frames are drawn from, changed only here: by facts from the source and keys of the user.
import type { Source } from '@roost/client/world/source';
import type { World } from '@roost/client/world/world';
import type { AskId } from '@roost/protocol/ids';
import type { KeyPress } from '../keys/key.ts';
import type { Leaving, Room, ViewName, Wish } from '../pane.ts';
import { clearFeed, showAll } from '../panes/feed.ts';
import type { Copy } from '../screen/clipboard.ts';
import { createStyles, type StyleOptions, type Styles } from '../screen/styles.ts';
import { attend, isTooLate } from './attend.ts';
import { escapeNotice, open, press, type Shell, startShell } from './shell.ts';

type Snapshot = { readonly shell: Shell; readonly styles: Styles; readonly notice: string };

const NOTICE_MS = 5_000;

type Model = {
	snapshot(): Snapshot;
	press(key: KeyPress, room: Room): void;
	observe(): void;
	say(sentence: string): void;
};

export function createModel(deps: {
	source: Source;
	styles: StyleOptions;
	onChange: () => void;
	quit: (to?: Leaving) => void;
	/** Opened as soon as it is known, unless the user presses a key before. */
	ask?: AskId | undefined;
	copy: Copy;
}): Model {
	const { source } = deps;
	let current = { shell: startShell(source.world()), styles: createStyles(deps.styles) };
	let message = { sentence: '', at: 0 };
	let wanted = deps.ask;

	function change(part: Partial<typeof current>): void {
		current = { ...current, ...part };
		deps.onChange();
	}

	function say(sentence: string): void {
		message = { sentence, at: source.world().now };
		deps.onChange();
	}

	function noticeAt(world: World): string {
		return escapeNotice(current.shell, world) || (world.now - message.at < NOTICE_MS ? message.sentence : '');
	}

	function changeFeed(what: 'clear' | 'show-all'): void {
		const { shell } = current;
		const { open } = source.world();
		const { feed } = shell.panes;
		const next = what === 'show-all' ? showAll(feed) : open ? clearFeed(feed, open.feed) : feed;
		change({ shell: { ...shell, panes: { ...shell.panes, feed: next } } });
	}

	function perform(wish: Wish): void {
		switch (wish.type) {
			case 'quit':
				deps.quit();
				break;
			case 'attach':
				deps.quit({ to: 'terminal', session: wish.id });
				break;
			case 'switch-runner': {
				const { type: _, ...next } = wish;
				deps.quit({ to: 'runner', ...next });
				break;
			}
			case 'copy':
				void deps.copy(wish.text).then(say);
				break;
			case 'say':
				say(wish.sentence);
				break;
			case 'theme':
				change({ styles: createStyles({ ...deps.styles, theme: wish.theme }) });
				break;
			case 'clear':
			case 'show-all':
				changeFeed(wish.type);
				break;
			default:
				source.perform(wish);
		}
	}

	/** The request that the user chose, before the oldest one is brought. */
	function openWanted(shell: Shell, world: World): Shell {
		const ask = world.asks.find(({ id }) => id === wanted);
		if (!ask) return shell;
		wanted = undefined;
		return open(shell, { place: ask.kind, ask: ask.id }, world);
	}

	function observe(): void {
		const attended = attend(openWanted(current.shell, source.world()), source.world());
		change({ shell: attended.shell });
		for (const wish of [...attended.wishes, ...keepFresh(attended.shell.view, source.world())]) perform(wish);
	}

	return {
		snapshot: () => ({ ...current, notice: noticeAt(source.world()) }),
		press(key, room) {
			// Updates the time first.
			source.tick();
			if (isTooLate(key, current.shell, source.world())) return;
			message = { sentence: '', at: 0 };
			wanted = undefined;
			const pressed = press(current.shell, key, source.world(), room);
			change({ shell: pressed.shell });
			for (const wish of pressed.wishes) perform(wish);
			observe();
		},
		observe,
		say,
	};
}

const LISTS: ReadonlySet<ViewName> = new Set(['sessions', 'past', 'rules']);
const FRESH_MS = 3_000;
/** Reads whole transcripts. */
const PAST_FRESH_MS = 15_000;

/** Also while no session is open, so that the first one is opened when it starts. */
export function keepFresh(view: ViewName, { open, connection, now, readAt, past }: World): readonly Wish[] {
	if (connection.state !== 'live') return [];
	const looked = open === null || LISTS.has(view);
	const isPastOld = past === null || (!past.looking && now - past.readAt >= PAST_FRESH_MS);
	return [
		...(looked && now - readAt >= FRESH_MS ? [{ type: 'refresh-sessions' } as const] : []),
		...(view === 'past' && isPastOld ? [{ type: 'read-past' } as const] : []),
	];
}
