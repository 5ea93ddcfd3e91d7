// A strict parser of the Prometheus text format.

export type Family = { type: string; samples: Sample[] };
export type Sample = { name: string; labels: Record<string, string>; value: number };

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\\\n]|\\\\\\\\|\\\\n)+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`);
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/y;

export function parsePrometheus(text: string): Map<string, Family> {
	if (!text.endsWith('\n')) throw new Error('the last line has no end');
	const families = new Map<string, Family>();
	const lines = text.slice(0, -1).split('\n');
	for (let at = 0; at < lines.length; ) {
		const name = HELP.exec(lines[at] ?? '')?.[1];
		const type = TYPE.exec(lines[at + 1] ?? '');
		if (name === undefined || type?.[1] !== name || families.has(name)) throw new Error(`no family begins at line ${at + 1}`);
		const family: Family = { type: type[2] ?? '', samples: [] };
		for (at += 2; at < lines.length && !lines[at]?.startsWith('#'); at++) family.samples.push(parseSample(lines[at] ?? ''));
		checkFamily(name, family);
		families.set(name, family);
	}
	return families;
}

/** The one value of a counter or a gauge, or how many a histogram has seen. */
export function figureOf(families: Map<string, Family>, name: string): number {
	const family = families.get(name);
	const wanted = family?.type === 'histogram' ? `${name}_count` : name;
	const sample = family?.samples.find((one) => one.name === wanted);
	if (!sample) throw new Error(`there is no ${name}`);
	return sample.value;
}

function parseSample(line: string): Sample {
	const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? [];
	if (value === undefined) throw new Error(`not a sample: ${line}`);
	return { name, labels: parseLabels(labels), value: Number(value) };
}

function parseLabels(text: string): Record<string, string> {
	const labels: Record<string, string> = {};
	for (LABEL.lastIndex = 0; LABEL.lastIndex < text.length; ) {
		const [, name, value = ''] = LABEL.exec(text) ?? [];
		if (name === undefined || name in labels) throw new Error(`not labels: ${text}`);
		labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
	}
	return labels;
}

function checkFamily(name: string, { type, samples }: Family): void {
	if (samples.length === 0) throw new Error(`${name} has no samples`);
	if (type === 'counter' && !name.endsWith('_total')) throw new Error(`${name} counts and does not say so`);
	if (type !== 'histogram') {
		if (samples.some((sample) => sample.name !== name)) throw new Error(`${name} has samples of another name`);
		return;
	}
	const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
	const bounds = buckets.map(({ labels }) => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)));
	const rises = (values: number[]) => values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0));
	if (!rises(bounds) || !rises(buckets.map(({ value }) => value))) throw new Error(`${name} has buckets out of order`);
	const count = samples.find((sample) => sample.name === `${name}_count`)?.value;
	if (bounds.at(-1) !== Number.POSITIVE_INFINITY || buckets.at(-1)?.value !== count) throw new Error(`${name} does not add up`);
	if (!samples.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${name} has no sum`);
}
