// The commands for sessions and the record.
import { type Argument, type CommandDefinition, command } from './define-command.ts';

const SESSION: Argument = ['<session>', 'session ID or a prefix of it'];

const VERIFY_NOTES = `What is proven:
  No event was changed, dropped, reordered, added or cut, as far as the heads file beside the database shows.
  Sessions, rules, asks, usage and the search index say the same as the events they are made from.
  With --file: the events of the file give the head in its header, and equal the record on this machine if it has the session.

What is not:
  That the database and the heads file were not rewritten together. Keep a head elsewhere to detect that.
  A home that was deleted as a whole looks like a new one.

Exit codes:
  0  intact, and equal to the given head
  1  not intact, or different from the given head
  2  wrong usage
  3  the record cannot be read`;

export const SESSION_COMMANDS: readonly CommandDefinition[] = [
	command('sessions', 'List sessions and control those that Roost drives', {
		examples: ['roost sessions', 'roost sessions show k3f9', 'roost sessions send k3f9 "run the tests"'],
		commands: [
			command('list', 'List sessions of this project, newest first', {
				isDefault: true,
				options: [
					['--all', 'list sessions of every project'],
					['--archived', 'also list archived sessions'],
				],
				examples: ['roost sessions --all', 'roost sessions --archived'],
				run: async () => (await import('./sessions.ts')).sessions,
			}),
			command('show', 'Show a session and its current status', {
				args: [SESSION],
				examples: ['roost sessions show k3f9'],
				run: async () => (await import('./show-session.ts')).showSession,
			}),
			command('rename', 'Rename a session', {
				args: [SESSION, ['<title...>', 'new title']],
				examples: ['roost sessions rename k3f9 "The slow login"'],
				run: async () => (await import('./drive-session.ts')).renameSession,
			}),
			command('archive', 'Archive a session: hide it from lists', {
				args: [SESSION],
				options: [['--undo', 'restore it to the lists']],
				examples: ['roost sessions archive k3f9', 'roost sessions archive k3f9 --undo'],
				run: async () => (await import('./drive-session.ts')).archiveSession,
			}),
			command('send', 'Send a prompt; it is queued while the agent is busy', {
				args: [SESSION, ['<prompt...>', 'the prompt']],
				options: [['--now', 'send it into the current run instead of queueing it']],
				examples: ['roost sessions send k3f9 "and now the tests"', 'roost sessions send k3f9 --now "not that file"'],
				run: async () => (await import('./drive-session.ts')).sendPrompt,
			}),
			command('queue', 'List queued prompts; edit, move or cancel one', {
				args: [SESSION, ['[text...]', 'with --edit: the new prompt']],
				options: [
					['--edit <prompt>', 'replace the text of this prompt'],
					['--move <prompt>', 'move this prompt'],
					['--to <place>', 'with --move: new position, from 1 (default: 1)'],
					['--cancel <prompt>', 'cancel this prompt'],
				],
				examples: [
					'roost sessions queue k3f9',
					'roost sessions queue k3f9 --edit p7x2 "run the tests, too"',
					'roost sessions queue k3f9 --move p7x2 --to 1',
					'roost sessions queue k3f9 --cancel p7x2',
				],
				run: async () => (await import('./queue.ts')).queue,
			}),
			command('set', 'Change the model or the permission mode of a session', {
				args: [SESSION],
				options: [
					['--model <model>', 'model to use from now on'],
					['--permission-mode <mode>', 'permission mode of the agent from now on'],
				],
				examples: ['roost sessions set k3f9 --model opus', 'roost sessions set k3f9 --permission-mode plan'],
				run: async () => (await import('./drive-session.ts')).adjustSession,
			}),
			command('interrupt', 'Interrupt the agent of a session', {
				args: [SESSION],
				examples: ['roost sessions interrupt k3f9'],
				run: async () => (await import('./drive-session.ts')).interruptSession,
			}),
			command('end', 'End a session and discard its queue', {
				args: [SESSION],
				examples: ['roost sessions end k3f9'],
				run: async () => (await import('./drive-session.ts')).endSession,
			}),
			command('fork', 'Fork a session: continue a copy of it', {
				args: [SESSION],
				options: [['--at <message>', 'last message to copy: its offset in the feed, or its native_id']],
				examples: [
					'roost sessions fork k3f9',
					'roost feed k3f9 --kind agent.message --json    list messages',
					'roost sessions fork k3f9 --at 12',
				],
				run: async () => (await import('./drive-session.ts')).forkSession,
			}),
			command('mode', 'Switch a session between a terminal and Roost', {
				args: [SESSION, ['<mode>', 'pty: in a terminal; sdk: driven by Roost, ends the terminal']],
				options: [['--record', 'record the terminal, secrets included, to a file; with pty']],
				examples: ['roost sessions mode k3f9 pty --record', 'roost sessions mode k3f9 sdk'],
				run: async () => (await import('./drive-session.ts')).switchMode,
			}),
		],
	}),
	command('feed', 'Print the events of a session', {
		args: [SESSION],
		options: [
			['--after <offset>', 'print only events after this offset', '0'],
			['--kind <kind>', 'print only events of this kind, such as tool.pre or permission.*'],
			['--follow', 'stream new events until Ctrl-C'],
			['--full', 'print prompts, responses, inputs and results in full'],
			['--verbose', 'also print batches, displays and loaded instructions'],
		],
		examples: ['roost feed k3f9', 'roost feed k3f9 --kind "permission.*" --json'],
		run: async () => (await import('./feed.ts')).feed,
	}),
	command('export', 'Export a session as JSON lines with the head of its chain', {
		args: [SESSION],
		options: [['--out <file>', 'write to a new file instead of stdout']],
		examples: ['roost export k3f9 --out session.jsonl'],
		run: async () => (await import('./export-record.ts')).runExport,
	}),
	command('verify', 'Verify that the record was not tampered with', {
		args: [['[session]', 'session ID or a unique part of it (default: the whole record)']],
		options: [
			['--file <export>', 'verify a file that "roost export" wrote'],
			['--head [head]', 'print one head over the whole record, or compare the record with an earlier head'],
		],
		notes: VERIFY_NOTES,
		examples: [
			'roost verify',
			'roost verify --head > /media/usb/roost-head',
			'roost verify --file session.jsonl',
			'roost verify --head "$(cat /media/usb/roost-head)"',
		],
		run: async () => (await import('./verify.ts')).verify,
	}),
	command('terminals', 'List terminals of the runner', {
		examples: ['roost terminals'],
		run: async () => (await import('./terminals.ts')).terminals,
	}),
	command('attach', 'Attach to a terminal of the runner, or of a session', {
		args: [['[terminal]', 'terminal or session ID, or a unique beginning of it']],
		options: [
			['--view', 'watch without typing'],
			['--take', 'take control from the current viewer'],
			['--new', 'open your shell in a new terminal, in this folder'],
			['--record', 'record the output, secrets included, to a file; with --new or a session'],
		],
		json: false,
		notes: 'Ctrl-] twice detaches; the terminal keeps running. Ctrl-] and then t takes control.',
		examples: [
			'roost terminals',
			'roost attach --new',
			'roost attach k3f9',
			'roost attach k3f9 --view',
			'roost attach k3f9 --record',
		],
		run: async () => (await import('./attach.ts')).attach,
	}),
	command('search', 'Search prompts, messages and commands of every session', {
		args: [['<words...>', 'words to find; the last one may be a prefix']],
		options: [['--limit <n>', 'maximum number of hits', '20']],
		examples: ['roost search health check'],
		run: async () => (await import('./search.ts')).search,
	}),
	command('usage', 'Show tokens and estimated cost', {
		options: [
			['--by <what>', 'group by day, project, agent, model or session', 'day'],
			['--since <day>', 'first day, such as 2026-11-15, or days back, such as 7d'],
			['--until <day>', 'last day'],
		],
		examples: ['roost usage', 'roost usage --by model --since 7d', 'roost usage --by session --json'],
		run: async () => (await import('./usage.ts')).usage,
	}),
];
