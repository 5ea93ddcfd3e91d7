// Every command of the palette, as data.

import type { World } from '@roost/client/world/world';
import type { DialogName, Step, ViewName, Wish } from '../pane.ts';
import { whyNotEnd } from '../panes/run-states.ts';
import { THEMES } from '../screen/styles.ts';

export type Command = {
	readonly name: string;
	readonly takes?: string;
	readonly help: string;
	/** Known values of the argument. */
	values?(world: World): readonly string[];
	about?(value: string, world: World): string;
	run(argument: string, world: World): Ran;
};

type Ran = Pick<Step<unknown>, 'wishes' | 'go'> | { readonly problem: string };

export const COMMANDS: readonly Command[] = [
	opens('feed', 'what happens in the session'),
	opens('detail', 'all of the newest event'),
	opens('tasks', 'what everybody means to do'),
	opens('actors', 'who works in the session'),
	opens('sessions', 'every session, to open one'),
	opens('past', 'past sessions, to read or resume'),
	opens('waiting', 'all that needs you, in every project'),
	opens('rules', 'what may happen unasked, and what never'),
	opens('stats', 'the session in numbers'),
	{
		name: 'open',
		takes: '<session>',
		help: 'another session',
		values: ({ sessions }) => sessions.map(({ id }) => id),
		run: openSession,
	},
	{
		name: 'search',
		takes: '[words]',
		help: 'words in every session',
		run: (words) => ({ go: 'search', wishes: words === '' ? [] : [{ type: 'search', words }] }),
	},
	{ name: 'ask', help: 'decide what waits', run: (_, world) => decide(world) },
	opens('composer', 'write to the agent', 'prompt'),
	{ name: 'interrupt', help: 'stop what the agent does now', run: (_, { open }) => forOpen(open, 'interrupt') },
	{
		name: 'new',
		takes: '[agent] [prompt]',
		help: 'a new session in this project',
		values: ({ agents }) => agents.map(({ id }) => id),
		about: (agent, { agents }) => agents.find(({ id }) => id === agent)?.guard ?? '',
		run: startSession,
	},
	{ name: 'resume', help: 'resume this session', run: (_, { open }) => resumeSession(open) },
	{ name: 'fork', help: 'branch off from this session', run: (_, { open }) => forOpen(open, 'fork-session') },
	{
		name: 'model',
		takes: '<model>',
		help: 'another model for this session',
		values: ({ models }) => models,
		run: (model, world) => adjust(world, { model }),
	},
	{
		name: 'permissions',
		takes: '<mode>',
		help: 'what its agent may do unasked',
		values: () => ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'],
		run: (permissionMode, world) => adjust(world, { permissionMode }),
	},
	{
		name: 'attach',
		takes: '[undo]',
		help: 'this session in a terminal, or back',
		values: () => ['undo'],
		run: (argument, { open }) => attachTo(argument, open),
	},
	{ name: 'rename', takes: '<title>', help: 'another title for this session', run: renameSession },
	{
		name: 'archive',
		takes: '[undo]',
		help: 'put this session away, or take it out',
		values: () => ['undo'],
		run: archiveSession,
	},
	{ name: 'end', takes: '[now]', help: 'end this session for good', values: () => ['now'], run: endSession },
	{ name: 'clear', help: 'the feed without what it shows so far', run: () => ({ wishes: [{ type: 'clear' }], go: 'feed' }) },
	{ name: 'show', help: 'the feed with what was cleared', run: () => ({ wishes: [{ type: 'show-all' }], go: 'feed' }) },
	{
		name: 'export',
		takes: '[file]',
		help: 'write this session to a new file, as JSON lines',
		run: (file) => ({ wishes: [{ type: 'export', ...(file === '' ? {} : { file }) }], go: 'back' }),
	},
	{ name: 'theme', takes: '<name>', help: 'other colours', values: () => THEMES, run: setTheme },
	{ name: 'refresh', help: 'read sessions and rules again', run: () => ({ wishes: [{ type: 'refresh-sessions' }], go: 'back' }) },
	opens('help', 'help for where you are'),
	{ name: 'quit', help: 'quit; agents keep running', run: () => ({ wishes: [{ type: 'quit' }] }) },
];

function opens(place: ViewName | DialogName, help: string, name: string = place): Command {
	return { name, help, run: () => ({ go: place }) };
}

function openSession(id: string, { sessions }: World): Ran {
	const session = sessions.find((one) => one.id === id);
	if (!session) return { problem: id === '' ? 'Name a session: Tab completes it.' : `There is no session ${id}.` };
	return { wishes: [{ type: 'open-session', id: session.id }], go: { place: 'feed' } };
}

function startSession(argument: string, world: World): Ran {
	const agents = world.agents.map(({ id }) => id);
	const [, agent = '', prompt = ''] = /^(\S*)\s*(.*)$/su.exec(argument) ?? [];
	if (agent === '') return { wishes: [{ type: 'new-session' }], go: 'feed' };
	// Until the runner has listed its agents, it reports unknown ones itself.
	if (agents.length > 0 && !agents.includes(agent))
		return {
			problem: `This runner cannot start "${agent}": it has ${agents.join(', ')}. Others run in a terminal of their own.`,
		};
	return { wishes: [{ type: 'new-session', agent, ...(prompt === '' ? {} : { prompt }) }], go: 'feed' };
}

function decide({ asks }: World): Ran {
	const [ask] = asks;
	return ask ? { go: ask.kind } : { problem: 'No pending requests.' };
}

type Open = World['open'];
type OfOpen = Extract<Wish, { type: 'interrupt' | 'resume-session' | 'fork-session' }>['type'];

function forOpen(open: Open, type: OfOpen): Ran {
	const problem = whyNotOnRecord(open);
	return open && !problem ? { wishes: [{ type, id: open.id }], go: 'back' } : { problem: problem ?? '' };
}

function whyNotOnRecord(open: Open): string | undefined {
	if (!open) return 'No session is open.';
	return open.past && 'This past session is read-only. Use "resume" to continue it.';
}

function resumeSession(open: Open): Ran {
	if (!open?.past) return forOpen(open, 'resume-session');
	return { wishes: [{ type: 'resume-past', session: open.past }], go: { place: 'feed' } };
}

function adjust({ open }: World, wanted: { model?: string; permissionMode?: string }): Ran {
	const problem =
		whyNotOnRecord(open) ?? (Object.values(wanted).includes('') ? 'Name the one you want: Tab completes it.' : undefined);
	return open && !problem
		? { wishes: [{ type: 'adjust-session', id: open.id, ...wanted }], go: 'back' }
		: { problem: problem ?? '' };
}

function attachTo(argument: string, open: Open): Ran {
	const problem =
		whyNotOnRecord(open) ?? (argument === '' || argument === 'undo' ? undefined : 'There is "attach" and "attach undo".');
	if (!open || problem) return { problem: problem ?? '' };
	return { wishes: [{ type: argument === 'undo' ? 'take-back' : 'attach', id: open.id }], go: 'back' };
}

function renameSession(title: string, { open }: World): Ran {
	const problem =
		whyNotOnRecord(open) ?? (title === '' || title.length > 200 ? 'Say the title, in at most 200 characters.' : undefined);
	return open && !problem ? { wishes: [{ type: 'rename-session', id: open.id, title }], go: 'back' } : { problem: problem ?? '' };
}

function archiveSession(argument: string, { open }: World): Ran {
	const problem =
		whyNotOnRecord(open) ?? (argument === '' || argument === 'undo' ? undefined : 'There is "archive" and "archive undo".');
	if (!open || problem) return { problem: problem ?? '' };
	return { wishes: [{ type: 'archive-session', id: open.id, archived: argument !== 'undo' }], go: 'back' };
}

/** Needs "now", because the current work of the agent is lost. */
function endSession(argument: string, { open, sessions }: World): Ran {
	const session = sessions.find(({ id }) => id === open?.id) ?? open?.row;
	const problem = whyNotOnRecord(open) ?? (session ? whyNotEnd(session) : 'No session is open.');
	if (!session || problem) return { problem: problem ?? '' };
	if (argument !== 'now')
		return { problem: `This ends ${session.id} and whatever its agent does right now: type "end now" to do it.` };
	return { wishes: [{ type: 'end-session', id: session.id }], go: 'back' };
}

function setTheme(name: string): Ran {
	const theme = THEMES.find((one) => one === name);
	return theme ? { wishes: [{ type: 'theme', theme }], go: 'back' } : { problem: `There are the themes ${THEMES.join(', ')}.` };
}
