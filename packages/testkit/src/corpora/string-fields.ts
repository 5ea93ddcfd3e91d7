// Where a JSON schema takes strings: a sample that fits it, and every place in the sample that a string can stand.
import { z } from 'zod';

type Schema = z.infer<typeof schema>;

/** As much of JSON Schema as the schemas of Roost are made of. */
const schema = z.object({
	type: z.union([z.string(), z.array(z.string())]).optional(),
	const: z.unknown().optional(),
	enum: z.array(z.unknown()).optional(),
	get anyOf() {
		return z.array(schema).optional();
	},
	get oneOf() {
		return z.array(schema).optional();
	},
	get properties() {
		return z.record(z.string(), schema).optional();
	},
	get additionalProperties() {
		return z.union([z.boolean(), schema]).optional();
	},
	get items() {
		return schema.optional();
	},
});

/** A value in which exactly one string is `hostile`, and where that is. */
export type Placed = { readonly field: string; place(hostile: string): unknown };

/** Every string in what the schema takes, also as the name of a property and inside of what may be anything. */
export function stringFields(given: unknown): Placed[] {
	return alternatives(schema.parse(given)).flatMap((one) => fieldsOf(one, ''));
}

export function stringFieldsOf(type: z.ZodType): Placed[] {
	return stringFields(z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }));
}

function alternatives(one: Schema): Schema[] {
	const choices = [...(one.anyOf ?? []), ...(one.oneOf ?? [])];
	return choices.length === 0 ? [one] : choices.flatMap(alternatives);
}

function fieldsOf(one: Schema, path: string): Placed[] {
	if (one.const !== undefined) return [];
	if (one.properties || takes(one, 'object')) return inObject(one, path);
	if (one.items) return alternatives(one.items).flatMap((item) => inside(fieldsOf(item, `${path}[]`), (value) => [value]));
	// An enumeration refuses everything else, which is worth seeing too.
	if (takes(one, 'string') || one.enum) return [{ field: path, place: (hostile) => hostile }];
	return one.type === undefined ? [{ field: path, place: (hostile) => ({ [hostile]: [hostile] }) }] : [];
}

function inObject(one: Schema, path: string): Placed[] {
	const properties = Object.entries(one.properties ?? {});
	const sample = Object.fromEntries(properties.map(([name, value]) => [name, sampleOf(value)]));
	const named = properties.flatMap(([name, value]) =>
		alternatives(value).flatMap((choice) =>
			inside(fieldsOf(choice, `${path}.${name}`), (placed) => ({ ...sample, [name]: placed })),
		),
	);
	if (one.additionalProperties === undefined || one.additionalProperties === false) return named;
	const key = { field: `${path}.*`, place: (hostile: string) => ({ ...sample, [hostile]: hostile }) };
	return [...named, key];
}

function inside(fields: Placed[], wrap: (value: unknown) => unknown): Placed[] {
	return fields.map(({ field, place }) => ({ field, place: (hostile) => wrap(place(hostile)) }));
}

function sampleOf(one: Schema): unknown {
	const [first = one] = alternatives(one);
	if (first.const !== undefined) return first.const;
	if (first.enum) return first.enum[0];
	if (first.properties)
		return Object.fromEntries(Object.entries(first.properties).map(([name, value]) => [name, sampleOf(value)]));
	if (first.items) return [sampleOf(first.items)];
	if (takes(first, 'object')) return { command: 'ls' };
	if (takes(first, 'integer') || takes(first, 'number')) return 1;
	if (takes(first, 'boolean')) return true;
	return takes(first, 'null') ? null : 'x';
}

function takes({ type }: Schema, name: string): boolean {
	return [type].flat().includes(name);
}
