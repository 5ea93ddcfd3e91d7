// Opens the dialog of a pending ask, unless the user is typing, and closes it when the ask is decided.
import type { World } from '@roost/client/world/world';
import { LOOK_MS } from '@roost/core/answers/when-ready';
import { askOutcome, askSubject } from '@roost/core/views/ask-words';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import { shortened } from '../dialogs/ask-parts.ts';
import { showPermission } from '../dialogs/permission.ts';
import { showQuestion } from '../dialogs/question.ts';
import type { KeyPress } from '../keys/key.ts';
import { paneFor } from './panes.ts';
import { focusOf, type Pressed, type Shell } from './shell.ts';

/** Called after every key and every fact. */
export function attend(before: Shell, world: World): Pressed {
	const noticed = notice(before, world);
	const ended = endShown(noticed, world);
	const next = bringNext(ended.shell, world);
	return { shell: remember(next.shell, world), wishes: [...ended.wishes, ...next.wishes] };
}

/** Closing a dialog hides pending asks; opening one shows all again. */
function notice(shell: Shell, { asks }: World): Shell {
	const { attention } = shell;
	const shown = shownAsk(shell);
	const waits = (id: AskId) => asks.some((ask) => ask.id === id);
	if (shown === undefined && attention.shown !== undefined && waits(attention.shown)) {
		return { ...shell, attention: { ...attention, hidden: new Set(asks.map(({ id }) => id)) } };
	}
	if (shown !== undefined && attention.hidden.has(shown)) return { ...shell, attention: { ...attention, hidden: new Set() } };
	return shell;
}

function endShown(shell: Shell, world: World): Pressed {
	const shown = shownAsk(shell);
	if (shown === undefined || world.asks.some(({ id }) => id === shown)) return { shell, wishes: [] };
	const isOurs = world.answered.has(shown);
	// A dialog with text input stays open: typed text must not go elsewhere.
	if (isWriting(shell) && !isOurs) return { shell, wishes: [] };
	const outcome = isOurs ? undefined : world.decided.get(shown);
	const takenAt = outcome ? world.now : shell.attention.takenAt;
	return {
		shell: { ...shell, dialogs: shell.dialogs.filter((name) => !isAskDialog(name)), attention: { ...shell.attention, takenAt } },
		wishes: outcome ? [{ type: 'say', sentence: askOutcome(outcome, shortened) }] : [],
	};
}

function bringNext(shell: Shell, world: World): Pressed {
	if (shownAsk(shell) !== undefined) return { shell, wishes: [] };
	const next = world.asks.find(({ id }) => !shell.attention.hidden.has(id) && !world.answered.has(id));
	if (!next) return { shell, wishes: [] };
	if (!paneFor(focusOf(shell), shell.panes).takesText()) return { shell: show(shell, next, world.now), wishes: [] };
	return announce(shell, next);
}

/** Only once per ask. */
function announce(shell: Shell, ask: AskRow): Pressed {
	const { attention } = shell;
	if (attention.announced.has(ask.id)) return { shell, wishes: [] };
	const what = ask.kind === 'question' ? 'New question' : `${askSubject(ask, shortened)} needs a decision`;
	return {
		shell: { ...shell, attention: { ...attention, announced: new Set([...attention.announced, ask.id]) } },
		wishes: [{ type: 'say', sentence: `${what}: it opens when you finish writing.` }],
	};
}

function show(shell: Shell, ask: AskRow, now: number): Shell {
	const panes =
		ask.kind === 'permission'
			? { ...shell.panes, permission: showPermission(ask, now) }
			: { ...shell.panes, question: showQuestion(ask, now) };
	return { ...shell, dialogs: [...shell.dialogs, ask.kind], panes };
}

/** A dialog that gets the focus again must be visible for a moment before keys count. */
function remember(shell: Shell, { now, asks }: World): Shell {
	const shown = shownAsk(shell);
	const { attention } = shell;
	const name = focusOf(shell);
	const focused = isAskDialog(name);
	const isBack = focused && (!attention.focused || attention.shown !== shown);
	const panes = isBack ? { ...shell.panes, [name]: { ...shell.panes[name], since: now } } : shell.panes;
	if (panes === shell.panes && attention.shown === shown && attention.focused === focused) return shell;
	const stillWaiting = (ids: ReadonlySet<AskId>) => new Set(asks.flatMap(({ id }) => (ids.has(id) ? [id] : [])));
	const [hidden, announced] = [stillWaiting(attention.hidden), stillWaiting(attention.announced)];
	return { ...shell, panes, attention: { ...attention, shown, focused, hidden, announced } };
}

/** Ignores keys right after a dialog was closed by a decision elsewhere: they were meant for it. */
export function isTooLate(key: KeyPress, { attention }: Shell, { now }: World): boolean {
	const { takenAt } = attention;
	return takenAt !== null && now - takenAt < LOOK_MS && key.name !== 'ctrl+c';
}

function shownAsk({ dialogs, panes }: Shell): AskId | undefined {
	const name = dialogs.findLast(isAskDialog);
	return name && panes[name].ask;
}

function isAskDialog(name: string): name is 'permission' | 'question' {
	return name === 'permission' || name === 'question';
}

function isWriting(shell: Shell): boolean {
	const name = shell.dialogs.findLast(isAskDialog);
	return name !== undefined && paneFor(name, shell.panes).takesText();
}
