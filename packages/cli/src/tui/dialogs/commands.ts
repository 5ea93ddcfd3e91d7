// Every command of the palette, as data.
import type { World } from '@roost/client/world/world';
import type { SessionId } from '@roost/protocol/ids';
import type { DialogName, Step, ViewName, Wish } from '../pane.ts';
import { whyNotEnd } from '../panes/run-states.ts';
import { THEMES } from '../screen/styles.ts';

export type Command = {
	readonly name: string;
	readonly takes?: string;
	readonly help: string;
	/** Whether there is such a command now. */
	isThere?(world: World): boolean;
	/** Known values of the argument. */
	values?(world: World): readonly string[];
	about?(value: string, world: World): string;
	run(argument: string, world: World): Ran;
};

type Ran = Pick<Step<unknown>, 'wishes' | 'go'> | { readonly problem: string };

const COMMANDS: readonly Command[] = [
	opens('feed', 'events of the session'),
	opens('detail', 'the newest event in full'),
	opens('tasks', 'tasks of every actor'),
	opens('actors', 'actors of the session'),
	opens('sessions', 'list of sessions'),
	opens('past', 'past sessions to read or resume'),
	opens('waiting', 'pending requests of every project'),
	opens('rules', 'rules that allow, deny or ask'),
	opens('stats', 'statistics of the session'),
	{ ...opens('runners', 'runners of the hub'), isThere: ({ runners }) => runners !== null },
	{
		name: 'open',
		takes: '<session>',
		help: 'open a session',
		values: ({ sessions }) => sessions.map(({ id }) => id),
		run: openSession,
	},
	{
		name: 'search',
		takes: '[words]',
		help: 'search every session',
		run: (words) => ({ go: 'search', wishes: words === '' ? [] : [{ type: 'search', words }] }),
	},
	{ name: 'ask', help: 'decide the oldest request', run: (_, world) => decide(world) },
	opens('composer', 'write to the agent', 'prompt'),
	{ name: 'interrupt', help: 'interrupt the agent', run: (_, { open }) => forOpen(open, 'interrupt') },
	{
		name: 'new',
		takes: '[agent] [prompt]',
		help: 'start a session in this project',
		values: ({ agents }) => agents.map(({ id }) => id),
		about: (agent, { agents }) => agents.find(({ id }) => id === agent)?.guard ?? '',
		run: startSession,
	},
	{ name: 'resume', help: 'resume this session', run: (_, { open }) => resumeSession(open) },
	{ name: 'fork', help: 'fork this session', run: (_, { open }) => forOpen(open, 'fork-session') },
	{
		name: 'model',
		takes: '<model>',
		help: 'change the model of this session',
		values: ({ models }) => models,
		run: (model, world) => adjust(world, { model }),
	},
	{
		name: 'permissions',
		takes: '<mode>',
		help: 'permission mode of its agent',
		values: () => ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'],
		run: (permissionMode, world) => adjust(world, { permissionMode }),
	},
	{
		name: 'attach',
		takes: '[undo]',
		help: 'attach to this session, or take it back',
		values: () => ['undo'],
		run: (argument, { open }) => attachTo(argument, open),
	},
	{ name: 'rename', takes: '<title>', help: 'rename this session', run: renameSession },
	{
		name: 'archive',
		takes: '[undo]',
		help: 'archive this session, or restore it',
		values: () => ['undo'],
		run: archiveSession,
	},
	{ name: 'end', takes: '[now]', help: 'end this session', values: () => ['now'], run: endSession },
	{ name: 'clear', help: 'hide the events shown so far', run: () => ({ wishes: [{ type: 'clear' }], go: 'feed' }) },
	{ name: 'show', help: 'show all events again', run: () => ({ wishes: [{ type: 'show-all' }], go: 'feed' }) },
	{
		name: 'export',
		takes: '[file]',
		help: 'write this session to a new file, as JSON lines',
		run: (file) => ({ wishes: [{ type: 'export', ...(file === '' ? {} : { file }) }], go: 'back' }),
	},
	{ name: 'theme', takes: '<name>', help: 'change the theme', values: () => THEMES, run: setTheme },
	{ name: 'refresh', help: 'reload sessions and rules', run: () => ({ wishes: [{ type: 'refresh-sessions' }], go: 'back' }) },
	opens('help', 'keys of this view'),
	{ name: 'quit', help: 'quit; agents keep running', run: () => ({ wishes: [{ type: 'quit' }] }) },
];

export function commandsIn(world: World): readonly Command[] {
	return COMMANDS.filter(({ isThere }) => isThere?.(world) ?? true);
}

function opens(place: ViewName | DialogName, help: string, name: string = place): Command {
	return { name, help, run: () => ({ go: place }) };
}

function openSession(id: string, { sessions }: World): Ran {
	const session = sessions.find((one) => one.id === id);
	if (!session) return { problem: id === '' ? 'Name a session; Tab completes it.' : `Session ${id} not found.` };
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
	return onOpen(open, undefined, (id) => ({ type, id }));
}

/** A wish about the open session, unless there is a problem. */
function onOpen(open: Open, problem: string | undefined, toWish: (id: SessionId) => Wish): Ran {
	const why = whyNotOnRecord(open) ?? problem;
	return open && why === undefined ? { wishes: [toWish(open.id)], go: 'back' } : { problem: why ?? '' };
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
	const problem = Object.values(wanted).includes('') ? 'Name the one you want: Tab completes it.' : undefined;
	return onOpen(open, problem, (id) => ({ type: 'adjust-session', id, ...wanted }));
}

function attachTo(argument: string, open: Open): Ran {
	return onOpen(open, findUndoProblem('attach', argument), (id) => ({ type: argument === 'undo' ? 'take-back' : 'attach', id }));
}

function renameSession(title: string, { open }: World): Ran {
	const problem = title === '' || title.length > 200 ? 'A title must have 1 to 200 characters.' : undefined;
	return onOpen(open, problem, (id) => ({ type: 'rename-session', id, title }));
}

function archiveSession(argument: string, { open }: World): Ran {
	const archived = argument !== 'undo';
	return onOpen(open, findUndoProblem('archive', argument), (id) => ({ type: 'archive-session', id, archived }));
}

function findUndoProblem(name: string, argument: string): string | undefined {
	return argument === '' || argument === 'undo' ? undefined : `Use "${name}" or "${name} undo".`;
}

/** Needs "now", because the current work of the agent is lost. */
function endSession(argument: string, { open, sessions }: World): Ran {
	const session = sessions.find(({ id }) => id === open?.id) ?? open?.row;
	const problem = whyNotOnRecord(open) ?? (session ? whyNotEnd(session) : 'No session is open.');
	if (!session || problem) return { problem: problem ?? '' };
	if (argument !== 'now')
		return { problem: `This ends ${session.id} and the current work of its agent. Type "end now" to confirm.` };
	return { wishes: [{ type: 'end-session', id: session.id }], go: 'back' };
}

function setTheme(name: string): Ran {
	const theme = THEMES.find((one) => one === name);
	return theme ? { wishes: [{ type: 'theme', theme }], go: 'back' } : { problem: `Themes: ${THEMES.join(', ')}.` };
}
