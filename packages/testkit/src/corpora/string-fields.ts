// Where a JSON schema takes strings: a sample that fits it, and every place in the sample that a string can stand.

/** As much of JSON Schema as the schemas of Roost are made of. */
type Schema = {
	types: readonly unknown[];
	constant: unknown;
	choices: readonly unknown[];
	alternatives: readonly Schema[];
	properties: readonly (readonly [string, Schema])[];
	items: Schema | undefined;
	/** Takes properties of any name. */
	open: boolean;
};

/** A value in which exactly one string is `hostile`, and where that is. */
export type Placed = { readonly field: string; place(hostile: string): unknown };

/** Every string in what the schema takes, also as the name of a property and inside of what may be anything. */
export function stringFields(schema: unknown): Placed[] {
	return alternatives(readSchema(schema)).flatMap((one) => fieldsOf(one, ''));
}

function readSchema(given: unknown): Schema {
	const { type, anyOf, oneOf, properties, items, additionalProperties, ...rest } = toRecord(given);
	return {
		types: [type].flat(),
		constant: rest.const,
		choices: toList(rest.enum),
		alternatives: [...toList(anyOf), ...toList(oneOf)].map(readSchema),
		properties: Object.entries(toRecord(properties)).map(([name, value]) => [name, readSchema(value)]),
		items: items === undefined ? undefined : readSchema(items),
		open: additionalProperties !== undefined && additionalProperties !== false,
	};
}

function toRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toList(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

function alternatives(one: Schema): Schema[] {
	return one.alternatives.length === 0 ? [one] : one.alternatives.flatMap(alternatives);
}

function fieldsOf(one: Schema, path: string): Placed[] {
	if (one.constant !== undefined) return [];
	if (takes(one, 'object')) return inObject(one, path);
	if (one.items) return alternatives(one.items).flatMap((item) => inside(fieldsOf(item, `${path}[]`), (value) => [value]));
	// An enumeration refuses everything else, which is worth seeing too.
	if (takes(one, 'string') || one.choices.length > 0) return [{ field: path, place: (hostile) => hostile }];
	return takes(one, undefined) ? [{ field: path, place: (hostile) => ({ [hostile]: [hostile] }) }] : [];
}

function inObject(one: Schema, path: string): Placed[] {
	const sample = toSample(one);
	const named = one.properties.flatMap(([name, value]) =>
		alternatives(value).flatMap((choice) =>
			inside(fieldsOf(choice, `${path}.${name}`), (placed) => ({ ...sample, [name]: placed })),
		),
	);
	const anyName = { field: `${path}.*`, place: (hostile: string) => ({ ...sample, [hostile]: hostile }) };
	// What a rule would look at, where the schema itself says nothing of what is inside.
	const command = { field: `${path}.command`, place: (hostile: string) => ({ ...sample, command: hostile }) };
	return one.open ? [...named, anyName, command] : named;
}

function inside(fields: Placed[], wrap: (value: unknown) => unknown): Placed[] {
	return fields.map(({ field, place }) => ({ field, place: (hostile) => wrap(place(hostile)) }));
}

function toSample(one: Schema): Record<string, unknown> {
	return Object.fromEntries(one.properties.map(([name, value]) => [name, sampleOf(value)]));
}

function sampleOf(one: Schema): unknown {
	const [first = one] = alternatives(one);
	if (first.constant !== undefined) return first.constant;
	if (first.choices.length > 0) return first.choices[0];
	if (first.items) return [sampleOf(first.items)];
	if (takes(first, 'object')) return first.properties.length > 0 ? toSample(first) : { command: 'ls' };
	if (takes(first, 'integer') || takes(first, 'number')) return 1;
	if (takes(first, 'boolean')) return true;
	return takes(first, 'null') ? null : 'x';
}

function takes({ types }: Schema, name: string | undefined): boolean {
	return types.includes(name);
}
