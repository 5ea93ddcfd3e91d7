// The commands of `roost rules`, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';

const ADD_HELP = `
Examples:
  $ roost rules add deny Bash --pattern "git push --force *" --scope user
  $ roost rules add allow Bash --pattern "npm publish *" --for 30m
  $ roost rules add --preset read-only --scope user`;

const IMPORT_HELP = `
Reads permissions.allow, ask and deny of settings.json in ~/.claude, never those of
a repository. Rules that Roost cannot express exactly are listed and skipped.

Example:
  $ roost rules import claude`;

export function addRuleCommands(program: Command): void {
	const json = () => new Option('--json', 'print JSON, for programs');
	const duration = () => new Option('--for <duration>', 'let the rule expire after this time, such as 30m, 8h or 7d');
	const rules = program
		.command('rules')
		.description('List and change the rules that allow, deny or ask')
		.addHelpText(
			'after',
			'\nExamples:\n  $ roost rules\n  $ roost rules add allow Bash --pattern "npm test *"\n  $ roost rules add --preset read-only',
		);
	rules
		.command('list', { isDefault: true })
		.description('List rules, those that apply here first')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost rules')
		.action(async (options) => (await import('./rules.ts')).listRules(options));
	rules
		.command('add')
		.description('Add a rule, or the rules of a preset')
		.argument('[decision]', 'allow, deny or ask')
		.argument('[tool]', 'a tool or a glob over tools')
		.option('--preset <name>', 'starter rules: read-only, node, python or git')
		.option('--pattern <glob>', 'only calls whose argument fits; for shells, each simple command of the line')
		.option('--scope <scope>', 'session, project or user', 'project')
		.option('--session <id>', 'with --scope session: which')
		.addOption(duration())
		.option('--yes', 'with --preset: do not ask before adding')
		.addOption(json())
		.addHelpText('after', ADD_HELP)
		.action(async (decision, tool, options) => (await import('./rules.ts')).addRule(decision, tool, options));
	rules
		.command('import')
		.description('Import the permission rules of your Claude settings')
		.argument('<agent>', 'agent whose settings to read: claude')
		.option('--scope <scope>', 'project or user', 'user')
		.addOption(duration())
		.option('--yes', 'do not ask before adding')
		.addOption(json())
		.addHelpText('after', IMPORT_HELP)
		.action(async (agent, options) => (await import('./rules.ts')).importRules(agent, options));
	rules
		.command('remove')
		.description('Remove a rule')
		.argument('<rule>', 'rule ID')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost rules remove 7kq2m4xz9p')
		.action(async (rule, options) => (await import('./rules.ts')).removeRule(rule, options));
	rules
		.command('test')
		.description('Test a call against the rules, or a new rule on past calls')
		.requiredOption('--tool <tool>', 'the tool; with --history also a glob over tools')
		.option('--input <json>', 'the input of the call')
		.option('--history', 'try a rule that is not there yet on the calls on record')
		.option('--decision <decision>', 'with --history: allow, deny or ask')
		.option('--pattern <glob>', 'with --history: only calls whose argument fits')
		.option('--scope <scope>', 'with --history: session, project or user', 'project')
		.option('--session <id>', 'with --history and --scope session: which')
		.option('--calls <n>', 'with --history: how many calls to look at, the newest first', '1000')
		.addOption(json())
		.addHelpText(
			'after',
			`\nExamples:\n  $ roost rules test --tool Bash --input '{"command":"touch a && echo b"}'\n  $ roost rules test --history --decision deny --tool Bash --pattern "git push *"`,
		)
		.action(async (options) => (await import('./rules.ts')).testRules(options));
}
