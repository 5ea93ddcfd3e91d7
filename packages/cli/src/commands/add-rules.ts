// roost rules add --preset, roost rules import: several rules at once, each shown before any is added.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { PRESET_NAMES, PRESETS, type PresetName } from '@roost/core/rules/presets';
import type { RuleBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import type { Rule } from '@roost/protocol/rule';
import { askYes } from '../output/ask-yes.ts';
import { fail } from '../output/exit.ts';
import { toTable } from '../output/table.ts';
import { connectOrStartToDecide } from '../runner/connect-to-decide.ts';
import { loadKinds } from './lazy-parts.ts';
import { type RuleOptions, toRulePlace } from './rules.ts';

type Options = Omit<RuleOptions, 'pattern'> & { yes?: boolean; json?: boolean };
type Said = Pick<RuleBody, 'tool' | 'argsPattern' | 'decision'>;
/** Why something was left out. */
type Skipped = { decision: string; text: string; why: string };

export async function addPreset(preset: string, options: Options): Promise<void> {
	if (!isPreset(preset))
		return fail(new AppError('usage', `--preset takes ${PRESET_NAMES.join(', ')}; it was "${preset}".`), options);
	const { name, about, patterns } = PRESETS[preset];
	const said = patterns.map((argsPattern): Said => ({ tool: 'Bash', argsPattern, decision: 'allow' }));
	await addSeveral('rules add', said, [], { ...options, title: `Preset ${name}: ${about}` });
}

function isPreset(name: string): name is PresetName {
	return PRESET_NAMES.some((known) => known === name);
}

export async function importRules(from: string, options: Options): Promise<void> {
	const { AGENT_KINDS, findKind } = await loadKinds();
	const readPermissions = findKind(from)?.readPermissions;
	if (!readPermissions) {
		const names = AGENT_KINDS.flatMap((kind) => (kind.readPermissions ? kind.known.id : [])).join(', ');
		return fail(new AppError('usage', `Rules can be imported from ${names}; it was "${from}".`), options);
	}
	const read = await readPermissions(process.env);
	if (!read.ok) return fail(read.error, options);
	const { rules, skipped, file } = read.value;
	await addSeveral('rules import', rules, skipped, { ...options, title: `Permission rules in ${file}` });
}

async function addSeveral(
	command: string,
	said: readonly Said[],
	skipped: readonly Skipped[],
	options: Options & { title: string },
): Promise<void> {
	const place = await toRulePlace(options);
	if (!place.ok) return fail(place.error, options);
	const connected = await connectOrStartToDecide(command);
	if (!connected.ok) return fail(connected.error, options);
	const { api } = connected.value;
	const known = await api.rules.list();
	if (!known.ok) return fail(known.error, options);
	const bodies = said.map((each): RuleBody => ({ ...each, ...place.value }));
	const wanted = bodies.filter((body, at) => !known.value.some((rule) => isSame(rule, body)) && isFirst(bodies, at));
	if (!options.json) process.stdout.write(preview(options.title, wanted, bodies.length - wanted.length, skipped));
	if (wanted.length > 0 && !options.yes) {
		const agreed = await askYes(`Add ${count(wanted.length)}?`, {
			...options,
			otherwise: `Nothing was changed: run it again with --yes to add ${wanted.length > 1 ? 'these rules' : 'this rule'}.`,
		});
		if (!agreed.ok) return fail(agreed.error, options);
		if (!agreed.value) return void process.stdout.write('No rules added.\n');
	}
	const added: Rule[] = [];
	for (const body of wanted) {
		const rule = await api.rules.add(body);
		if (!rule.ok) return fail(rule.error, options, { added });
		added.push(rule.value);
	}
	process.stdout.write(options.json ? `${JSON.stringify({ added, skipped })}\n` : `Added ${count(added.length)}.\n`);
}

/** One that expires is not the same. */
function isSame(rule: Rule, { decision, tool, argsPattern, scope, scopeId = 'user', forMs }: RuleBody): boolean {
	const isPlace =
		rule.scope === scope && (rule.projectPath ?? rule.scopeId) === scopeId && rule.expiresAt === undefined && forMs === undefined;
	return isPlace && rule.decision === decision && rule.tool === tool && rule.argsPattern === argsPattern;
}

function isFirst(bodies: readonly RuleBody[], at: number): boolean {
	const key = (body: RuleBody | undefined) => JSON.stringify([body?.decision, body?.tool, body?.argsPattern]);
	return bodies.findIndex((body) => key(body) === key(bodies[at])) === at;
}

function preview(title: string, wanted: readonly RuleBody[], there: number, skipped: readonly Skipped[]): string {
	const where = ({ scope, scopeId }: RuleBody) => (scope === 'user' ? 'user' : `${scope} ${scopeId ?? ''}`);
	const cells = wanted.map((body) => [body.decision, body.tool, body.argsPattern ?? '', where(body)]);
	const parts = [
		sanitiseLine(title),
		...(wanted.length > 0 ? [toTable(['DECISION', 'TOOL', 'PATTERN', 'SCOPE'], cells)] : []),
		...(there > 0 ? [`Already there: ${count(there)}.`] : []),
		...skipped.map(({ decision, text, why }) => sanitiseLine(`Skipped ${decision} ${text}: ${why}.`)),
	];
	return `${parts.join('\n')}\n`;
}

function count(rules: number): string {
	return `${rules} rule${rules === 1 ? '' : 's'}`;
}
