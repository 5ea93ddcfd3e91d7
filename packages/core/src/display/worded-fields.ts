// Fields of any value in words, for screens that show all of them: names as words, and nested fields beside the others.
import { toJson } from './to-json.ts';
import { type Fields, isFields } from './tools/fields.ts';

/** `place`: the names that lead to it, such as `counters.tool_uses`; unique. */
export type WordedField = { readonly place: string; readonly name: string; readonly text: string };

/** Deeper fields stay JSON. */
const MOST_NESTED = 3;

export function wordedFields(fields: object): WordedField[] {
	return fieldsAt([], fields);
}

function fieldsAt(path: readonly string[], fields: object): WordedField[] {
	return Object.entries(fields).flatMap(([name, value]) => fieldAt([...path, name], name, value));
}

function fieldAt(path: readonly string[], name: string, value: unknown): WordedField[] {
	if (value === undefined || value === null || value === '') return [];
	if (isFields(value) && path.length <= MOST_NESTED && !/schema$/i.test(name)) return fieldsAt(path, value);
	return [{ place: path.join('.'), name: toWords(name), text: toText(value) }];
}

function toText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (!Array.isArray(value)) return toJson(value);
	if (value.length === 0) return 'none';
	return value.map((item) => (isFields(item) ? itemText(item) : toText(item))).join('\n');
}

/** One part per line; the first names the item. */
function itemText(item: Fields): string {
	const { question, label, description, options } = item;
	if (typeof label === 'string') return typeof description === 'string' ? `${label}: ${description}` : label;
	if (typeof question === 'string') return [question, ...offered(item, options)].join('\n');
	return wordedFields(item)
		.map(({ name, text }, at) => `${at === 0 ? '' : '  '}${name}: ${text.replaceAll('\n', '\n    ')}`)
		.join('\n');
}

function offered({ multiSelect, multi_select }: Fields, options: unknown): string[] {
	const several = multiSelect === true || multi_select === true ? ['several may be chosen'] : [];
	return [...several, ...(Array.isArray(options) ? toText(options).split('\n') : [])].map((line) => `  ${line}`);
}

/** `old_cwd` and `oldCwd` become "old cwd"; a name that is a sentence stays as it is. */
function toWords(name: string): string {
	if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return name;
	return name
		.replaceAll('_', ' ')
		.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
		.toLowerCase();
}
