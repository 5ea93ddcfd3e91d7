// The commands for requests, rules and projects.
import { Option } from 'commander';
import { type Argument, type CommandDefinition, command, repeated } from './define-command.ts';

const ASK: Argument = ['<ask>', 'request ID or a unique part of it'];
const PROJECT: Argument = ['<project>', 'project ID, name or a folder in it'];
const PAST_SESSION: Argument = ['<session>', 'session ID as "projects show" lists it, or a prefix of it'];
const RULE_EXPIRY = ['--for <duration>', 'let the rule expire after this time, such as 30m, 8h or 7d'] as const;

const NEW_RULE_OPTIONS = [
	['--always <scope>', 'also make a rule: session, project or user'],
	['--for <duration>', 'make a rule that expires, such as 30m (default scope: session)'],
	repeated('--pattern <glob>', 'argument pattern of the rule; repeat it for more rules'),
] as const;

const ALLOW_NOTES = `Without --pattern, --always makes one rule for each part of a shell line that no
rule covers yet, and prints them.`;

const IMPORT_NOTES = `Reads permissions.allow, ask and deny of settings.json in ~/.claude, never those of
a repository. Rules that Roost cannot express exactly are listed and skipped.`;

export const DECISION_COMMANDS: readonly CommandDefinition[] = [
	command('asks', 'List pending requests and show what they would do', {
		examples: ['roost asks', 'roost asks show k3f9.1'],
		commands: [
			command('list', 'List pending requests with their command, diff or question', {
				isDefault: true,
				options: [['--all', 'include requests decided recently']],
				examples: ['roost asks', 'roost asks --all --json'],
				run: async () => (await import('./asks.ts')).asks,
			}),
			command('show', 'Show a request in full', {
				args: [ASK],
				examples: ['roost asks show k3f9.1'],
				run: async () => (await import('./asks.ts')).showAsk,
			}),
		],
	}),
	command('allow', 'Approve a request', {
		args: [ASK],
		options: [...NEW_RULE_OPTIONS, ['--input <json>', 'run the call with this input instead']],
		notes: ALLOW_NOTES,
		examples: [
			'roost allow k3f9.1',
			'roost allow k3f9.1 --always project',
			'roost allow k3f9.1 --always project --pattern "npm test *"',
			'roost allow k3f9.1 --for 30m',
		],
		run: async () => (await import('./decide.ts')).allow,
	}),
	command('deny', 'Deny a request', {
		args: [ASK],
		options: [
			['--message <text>', 'reason, sent to the agent'],
			['--interrupt', 'also stop the current run'],
			...NEW_RULE_OPTIONS,
		],
		examples: ['roost deny k3f9.1 --message "use the scratch folder"'],
		run: async () => (await import('./decide.ts')).deny,
	}),
	command('answer', 'Answer questions of an agent', {
		args: [ASK],
		options: [repeated('--set <question=answer>', 'one answer; can be repeated')],
		examples: ['roost answer k3f9.2 --set "Which colour?=Blue"'],
		run: async () => (await import('./decide.ts')).answer,
	}),
	command('rules', 'List and change the rules that allow, deny or ask', {
		examples: ['roost rules', 'roost rules add allow Bash --pattern "npm test *"', 'roost rules add --preset read-only'],
		commands: [
			command('list', 'List rules, those that apply here first', {
				isDefault: true,
				examples: ['roost rules'],
				run: async () => (await import('./rules.ts')).listRules,
			}),
			command('add', 'Add a rule, or the rules of a preset', {
				args: [
					['[decision]', 'allow, deny or ask'],
					['[tool]', 'a tool or a glob over tools'],
				],
				options: [
					['--preset <name>', 'starter rules: read-only, node, python or git'],
					['--pattern <glob>', 'only calls whose argument matches; for shells, each simple command of the line'],
					['--scope <scope>', 'session, project or user', 'project'],
					['--session <id>', 'with --scope session: session ID'],
					RULE_EXPIRY,
					['--yes', 'with --preset: do not ask for confirmation'],
				],
				examples: [
					'roost rules add deny Bash --pattern "git push --force *" --scope user',
					'roost rules add allow Bash --pattern "npm publish *" --for 30m',
					'roost rules add --preset read-only --scope user',
				],
				run: async () => (await import('./rules.ts')).addRule,
			}),
			command('import', 'Import the permission rules of your Claude settings', {
				args: [['<agent>', 'agent whose settings to read: claude']],
				options: [['--scope <scope>', 'project or user', 'user'], RULE_EXPIRY, ['--yes', 'do not ask for confirmation']],
				notes: IMPORT_NOTES,
				examples: ['roost rules import claude'],
				run: async () => (await import('./rules.ts')).importRules,
			}),
			command('remove', 'Remove a rule', {
				args: [['<rule>', 'rule ID']],
				examples: ['roost rules remove 7kq2m4xz9p'],
				run: async () => (await import('./rules.ts')).removeRule,
			}),
			command('test', 'Test a call against the rules, or a new rule on past calls', {
				options: [
					new Option('--tool <tool>', 'tool of the call; with --history also a glob over tools').makeOptionMandatory(),
					['--input <json>', 'input of the call'],
					['--history', 'test a new rule against the calls on record'],
					['--decision <decision>', 'with --history: allow, deny or ask'],
					['--pattern <glob>', 'with --history: only calls whose argument matches'],
					['--scope <scope>', 'with --history: session, project or user', 'project'],
					['--session <id>', 'with --history and --scope session: session ID'],
					['--calls <n>', 'with --history: number of calls to test, newest first', '1000'],
				],
				examples: [
					`roost rules test --tool Bash --input '{"command":"touch a && echo b"}'`,
					'roost rules test --history --decision deny --tool Bash --pattern "git push *"',
				],
				run: async () => (await import('./rules.ts')).testRules,
			}),
		],
	}),
	command('projects', 'List projects and their past sessions', {
		examples: ['roost projects', 'roost projects show .', 'roost projects resume . 4fa5b0bb'],
		commands: [
			command('list', 'List projects below projects.roots and where Claude worked', {
				isDefault: true,
				options: [['--scan', 'scan for projects first']],
				examples: ['roost projects', 'roost projects --scan'],
				run: async () => (await import('./projects.ts')).projects,
			}),
			command('show', 'Show a project and its past sessions', {
				args: [['[project]', 'project ID, name or a folder in it (default: this folder)']],
				examples: ['roost projects show ~/code/app'],
				run: async () => (await import('./projects.ts')).showProject,
			}),
			command('open', 'Read a past session without recording it', {
				args: [PROJECT, PAST_SESSION],
				options: [['--verbose', 'also print events that lists hide']],
				examples: ['roost projects open . 4fa5b0bb'],
				run: async () => (await import('./projects.ts')).openPastSession,
			}),
			command('resume', 'Resume a past session, driven by Roost', {
				args: [PROJECT, PAST_SESSION],
				examples: ['roost projects resume . 4fa5b0bb'],
				run: async () => (await import('./projects.ts')).resumePastSession,
			}),
		],
	}),
];
