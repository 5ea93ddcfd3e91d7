// The table of commands. A command's code is loaded only when it runs.
import { sanitiseBlock } from '@roost/core/display/sanitise';
import { VERSION } from '@roost/home/version';
import { Command, Option } from 'commander';
import { addMcpCommands, addPluginCommands } from './commands/agent-cli-commands.ts';
import { addAskCommands } from './commands/asks-commands.ts';
import { addDecideCommands } from './commands/decide-commands.ts';
import { addHooksCommands } from './commands/hooks-commands.ts';
import { addMcpTrustCommands } from './commands/mcp-trust-commands.ts';
import { OBSERVED_COMMANDS } from './commands/observed-commands.ts';
import { addRuleCommands } from './commands/rules-commands.ts';
import { RUN_HELP } from './commands/run/run-help.ts';
import { addSessionCommands } from './commands/session-commands.ts';
import { addConfigCommand, addDeviceCommands, addInstallCommands } from './commands/setup-commands.ts';
import { addTerminalCommands } from './commands/terminal-commands.ts';
import { VERIFY_HELP } from './commands/verify-help.ts';
import { addHelp, refuseExcess, unknownCommand } from './output/command-help.ts';

const theme = () => new Option('--theme <name>', 'dark, light or high-contrast');
const ascii = () => new Option('--ascii', 'no glyphs beyond ASCII');
const json = () => new Option('--json', 'print JSON, for programs');

/** Each with the names it adds, in the order of the help. */
const COMMANDS: readonly (readonly [names: readonly string[], add: (program: Command) => void])[] = [
	[['demo'], addDemo],
	...OBSERVED_COMMANDS,
	[['run'], addRun],
	[['sessions'], addSessionCommands],
	[['feed'], addFeed],
	[['export'], addExport],
	[['verify'], addVerify],
	[['terminals', 'attach'], addTerminalCommands],
	[['search'], addSearch],
	[['usage'], addUsage],
	[['asks'], addAskCommands],
	[['allow', 'deny'], addDecideCommands],
	[['answer'], addAnswer],
	[['rules'], addRuleCommands],
	[['projects'], addProjects],
	[['hooks'], addHooksCommands],
	[['agents'], addAgents],
	[['plugins'], addPluginCommands],
	[['mcp'], (program) => addMcpTrustCommands(addMcpCommands(program))],
	[['devices'], addDeviceCommands],
	[['install', 'uninstall'], addInstallCommands],
	[['config'], addConfigCommand],
	[['doctor'], addDoctor],
	[['up'], addUp],
	[['down'], addDown],
	[['status'], addStatus],
];

/** A first word that names a command needs only that one; help, completions and mistakes need all of them. */
export function createProgram(first: string): Command {
	const program = new Command('roost')
		.description('The governed control plane for coding agents')
		.version(VERSION)
		.option('--enforce', 'block every call that was not explicitly allowed (default: observe)')
		.enablePositionalOptions()
		.exitOverride()
		// What was typed is repeated in the sentence that refuses it.
		.configureOutput({ writeErr: (text) => void process.stderr.write(sanitiseBlock(text)) })
		.addHelpText(
			'after',
			'\nStart here:\n  $ roost demo                see scripted agents at work; needs no key and no agent\n  $ roost claude              run your own Claude Code, on record',
		)
		.addOption(theme())
		.addOption(ascii())
		.allowExcessArguments()
		.action(async (options, { args: [unknown] }) => {
			if (unknown !== undefined) program.error(unknownCommand(program, unknown));
			await (await import('./commands/show-tui.ts')).openTui(options);
		});
	const named = COMMANDS.filter(([names]) => names.includes(first));
	for (const [, add] of named.length > 0 ? named : COMMANDS) add(program);
	addHelp(program);
	refuseExcess(program);
	return program;
}

function addDemo(program: Command): void {
	program
		.command('demo')
		.description('Show the terminal UI with scripted agents; saves nothing')
		.addOption(new Option('--plain', 'print line by line instead of opening the UI').default(false))
		.option('--speed <n>', 'speed factor', '1')
		.addOption(theme())
		.addOption(ascii())
		.addHelpText('after', '\nExamples:\n  $ roost demo\n  $ roost demo --theme light --speed 2\n  $ roost demo --plain')
		.action(async (_options, command) => (await import('./commands/demo.ts')).demo(command.optsWithGlobals()));
}

function addRun(program: Command): void {
	program
		.command('run')
		.description('Run an agent once and print its final response')
		.argument('[prompt]', 'the prompt; reads stdin when omitted or "-"')
		.option('--agent <agent>', 'agent to run (default: runtime.default in config.yaml)')
		.option('--model <model>', 'model, as the agent names it')
		.option('--permission-mode <mode>', 'manual (default), acceptEdits, plan, dontAsk or bypassPermissions')
		.option('--on-ask <what>', 'wait, deny or fail (default: wait in a terminal, deny elsewhere)')
		.option('--timeout <seconds>', 'interrupt the run after this time')
		.option('--max-turns <n>', 'stop after n model calls (claude only; default: no limit)')
		.option('--resume <session>', 'resume this session')
		.option('--cwd <folder>', 'working directory (default: the current one)')
		.option('--quiet', 'no progress on stderr; errors are still printed')
		.addOption(json())
		.addHelpText('after', RUN_HELP)
		.action(async (prompt, options) => (await import('./commands/run.ts')).run(prompt, options));
}

function addFeed(program: Command): void {
	program
		.command('feed')
		.description('Print the events of a session')
		.argument('<session>', 'session ID or a prefix of it')
		.option('--after <offset>', 'print only events after this offset', '0')
		.option('--kind <kind>', 'print only events of this kind, such as tool.pre or permission.*')
		.option('--follow', 'stream new events until Ctrl-C')
		.option('--full', 'print prompts, responses, inputs and results in full')
		.option('--verbose', 'also print batches, displays and loaded instructions')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost feed k3f9\n  $ roost feed k3f9 --kind "permission.*" --json')
		.action(async (session, options) => (await import('./commands/feed.ts')).feed(session, options));
}

function addExport(program: Command): void {
	program
		.command('export')
		.description('Export a session as JSON lines with the head of its chain')
		.argument('<session>', 'session ID or a prefix of it')
		.option('--out <file>', 'write to a new file instead of stdout')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost export k3f9 --out session.jsonl')
		.action(async (session, options) => (await import('./commands/export-record.ts')).exportSession(session, options));
}

function addVerify(program: Command): void {
	program
		.command('verify')
		.description('Verify that the record was not tampered with')
		.argument('[session]', 'session ID or a unique part of it (default: the whole record)')
		.option('--file <export>', 'verify a file that "roost export" wrote')
		.option('--head [head]', 'print one head over the whole record, or compare the record with an earlier head')
		.addOption(json())
		.addHelpText('after', VERIFY_HELP)
		.action(async (session, options) => (await import('./commands/verify.ts')).verify(session, options));
}

function addSearch(program: Command): void {
	program
		.command('search')
		.description('Search prompts, messages and commands of every session')
		.argument('<words...>', 'words to find; the last one may be a prefix')
		.option('--limit <n>', 'maximum number of hits', '20')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost search health check')
		.action(async (words, options) => (await import('./commands/search.ts')).search(words, options));
}

function addUsage(program: Command): void {
	program
		.command('usage')
		.description('Show tokens and estimated cost')
		.option('--by <what>', 'group by day, project, agent, model or session', 'day')
		.option('--since <day>', 'first day, such as 2026-11-15, or days back, such as 7d')
		.option('--until <day>', 'last day')
		.addOption(json())
		.addHelpText(
			'after',
			'\nExamples:\n  $ roost usage\n  $ roost usage --by model --since 7d\n  $ roost usage --by session --json',
		)
		.action(async (options) => (await import('./commands/usage.ts')).usage(options));
}

function addAnswer(program: Command): void {
	program
		.command('answer')
		.description('Answer questions of an agent')
		.argument('<ask>', 'request ID or a unique part of it')
		.option('--set <question=answer>', 'one answer; can be repeated', (pair: string, all: string[]) => [...all, pair], [])
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost answer k3f9.2 --set "Which colour?=Blue"')
		.action(async (ask, options) => (await import('./commands/decide.ts')).answer(ask, options));
}

function addProjects(program: Command): void {
	const projects = program
		.command('projects')
		.description('List projects and their past sessions')
		.addHelpText('after', '\nExamples:\n  $ roost projects\n  $ roost projects show .\n  $ roost projects resume . 4fa5b0bb');
	projects
		.command('list', { isDefault: true })
		.description('List projects below projects.roots and where Claude worked')
		.option('--scan', 'scan for projects first')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost projects\n  $ roost projects --scan')
		.action(async (options) => (await import('./commands/projects.ts')).projects(options));
	projects
		.command('show')
		.description('Show a project and its past sessions')
		.argument('[project]', 'project ID, name or a folder in it (default: this folder)')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost projects show ~/code/app')
		.action(async (project, options) => (await import('./commands/projects.ts')).showProject(project, options));
	projects
		.command('open')
		.description('Read a past session without recording it')
		.argument('<project>', 'project ID, name or a folder in it')
		.argument('<session>', 'session ID as "projects show" lists it, or a prefix of it')
		.option('--verbose', 'also print events that lists hide')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost projects open . 4fa5b0bb')
		.action(async (project, session, options) =>
			(await import('./commands/projects.ts')).openPastSession(project, session, options),
		);
	projects
		.command('resume')
		.description('Resume a past session, driven by Roost')
		.argument('<project>', 'project ID, name or a folder in it')
		.argument('<session>', 'session ID as "projects show" lists it, or a prefix of it')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost projects resume . 4fa5b0bb')
		.action(async (project, session, options) =>
			(await import('./commands/projects.ts')).resumePastSession(project, session, options),
		);
}

function addAgents(program: Command): void {
	program
		.command('agents')
		.description('List the coding agents on this machine')
		.option('--matrix', 'what was proven of each with the real program, cell by cell')
		.option('--prove', 'start each agent once and test that its permission hook blocks a call')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost agents\n  $ roost agents --matrix\n  $ roost agents --prove')
		.action(async (options) => (await import('./commands/agents.ts')).agents(options));
}

function addDoctor(program: Command): void {
	program
		.command('doctor')
		.description('Diagnose problems and suggest fixes')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost doctor')
		.action(async (options) => (await import('./commands/doctor.ts')).doctor(options));
}

function addUp(program: Command): void {
	program
		.command('up')
		.description('Run the runner in the foreground')
		.option('--detach', 'run in the background')
		.option('--port <n>', 'port to listen on')
		.option('--json-logs', 'log as JSON lines')
		.addOption(new Option('--end-when-idle').hideHelp())
		.addOption(json())
		.addHelpText(
			'after',
			'\nPrints a one-time login link for a browser, valid for 30 seconds. "roost status --link" prints a new one.\n\nExamples:\n  $ roost up\n  $ roost up --detach\n  $ roost up --json-logs > runner.jsonl',
		)
		.action(async (options) => (await import('./commands/runner.ts')).up(options));
}

function addDown(program: Command): void {
	program
		.command('down')
		.description('Stop the runner')
		.option('--force', 'do not ask, even while enforced sessions are running')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost down\n  $ roost down --force')
		.action(async (options) => (await import('./commands/runner.ts')).down(options));
}

function addStatus(program: Command): void {
	program
		.command('status')
		.description('Show runner status')
		.option('--link', 'also print a one-time login link for a browser, valid for 30 seconds')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost status --json\n  $ roost status --link')
		.action(async (options) => (await import('./commands/status.ts')).status(options));
}
