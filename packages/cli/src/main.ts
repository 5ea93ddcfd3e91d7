// The one binary: a table of commands. A command's code is loaded only when it runs.
import { enableCompileCache } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import { EXIT, failUsage } from './output/exit.ts';

enableCompileCache();

const program = new Command('roost')
	.description('The governed control plane for coding agents.')
	.version('0.1.0')
	.option('--enforce', 'let nothing pass that nobody decided (default: observe)')
	.enablePositionalOptions()
	.showHelpAfterError('Run "roost --help" to see what there is.')
	.exitOverride()
	.addHelpText(
		'after',
		'\nStart here:\n  $ roost demo --plain        scripted agents at work: no key, no agent, no network\n  $ roost claude              your own Claude Code, observed and on record',
	);

const json = () => new Option('--json', 'print JSON, for programs');

program
	.command('demo')
	.description('scripted agents at work, recorded like real ones: no key, no agent, no network')
	.addOption(new Option('--plain', 'print line by line').default(false))
	.option('--speed <n>', 'how many times faster than life', '1')
	.addHelpText('after', '\nExample:\n  $ roost demo --plain --speed 4')
	.action(async (options) => (await import('./commands/demo.ts')).demo(options));

program
	.command('claude')
	.description('your own claude in this terminal, observed and gated; all arguments pass through')
	.argument('[args...]', 'arguments for claude')
	.allowUnknownOption()
	.passThroughOptions()
	.addHelpText(
		'after',
		'\nExamples:\n  $ roost claude\n  $ roost claude -p "explain this repository"\n  $ roost --enforce claude\n  $ roost claude -- --help    help of claude itself',
	)
	.action(async (args, _options, command) =>
		(await import('./commands/claude.ts')).claude(args, { enforce: command.optsWithGlobals().enforce === true }),
	);

program
	.command('sessions')
	.description('sessions on record, newest first')
	.option('--all', 'of every project, not only this one')
	.addOption(json())
	.addHelpText('after', '\nExample:\n  $ roost sessions --all')
	.action(async (options) => (await import('./commands/sessions.ts')).sessions(options));

program
	.command('feed')
	.description('what happened in a session')
	.argument('<session>', 'its id, or the beginning of it')
	.option('--after <offset>', 'only what came after this offset', '0')
	.option('--kind <kind>', 'only events of this kind, such as tool.pre or permission.*')
	.option('--verbose', 'also what lists hide: batches, displays, loaded instructions')
	.addOption(json())
	.addHelpText('after', '\nExamples:\n  $ roost feed k3f9\n  $ roost feed k3f9 --kind "permission.*" --json')
	.action(async (session, options) => (await import('./commands/feed.ts')).feed(session, options));

program
	.command('export')
	.description('a whole session as JSON lines: a header with the chain head, then every stored line')
	.argument('<session>', 'its id, or the beginning of it')
	.option('--out <file>', 'write to a new file instead of standard output')
	.addOption(json())
	.addHelpText('after', '\nExample:\n  $ roost export k3f9 --out session.jsonl')
	.action(async (session, options) => (await import('./commands/export.ts')).exportSession(session, options));

program
	.command('verify')
	.description('prove that nothing on record was changed, dropped, reordered or cut')
	.argument('[session]', 'one session; without it, everything')
	.addOption(json())
	.addHelpText('after', '\nExample:\n  $ roost verify')
	.action(async (session, options) => (await import('./commands/verify.ts')).verify(session, options));

program
	.command('search')
	.description('find words in prompts, messages, commands and titles of every session')
	.argument('<words...>', 'what to look for; the last word may be a beginning')
	.option('--limit <n>', 'how many hits at the most', '20')
	.addOption(json())
	.addHelpText('after', '\nExample:\n  $ roost search health check')
	.action(async (words, options) => (await import('./commands/search.ts')).search(words, options));

// A reader such as head may leave early; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code === 'EPIPE') process.exit(EXIT.ok);
	throw error;
});

try {
	await program.parseAsync();
} catch (error) {
	if (!(error instanceof CommanderError)) throw error;
	process.exitCode = error.exitCode === 0 ? EXIT.ok : failUsage(error, process.argv.includes('--json'));
}
