// Fields of a form, each with its label.
import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './fields.module.css';

export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
	return (
		<form
			className={styles.form}
			onSubmit={(event) => {
				event.preventDefault();
				onSubmit();
			}}
		>
			{children}
		</form>
	);
}

/** Side by side where there is room. */
export function Fields({ children }: { children: ReactNode }) {
	return <div className={styles.fields}>{children}</div>;
}

export function FormButtons({ children }: { children: ReactNode }) {
	return <div className={styles.buttons}>{children}</div>;
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'className' | 'id'> & {
	label: string;
	onChange: (value: string) => void;
	/** What is typed is code or a pattern. */
	isCode?: boolean;
};

export function TextField({ label, onChange, isCode = false, ...rest }: TextFieldProps) {
	const id = useId();
	return (
		<div className={styles.field}>
			<label htmlFor={id}>{label}</label>
			<input
				id={id}
				type="text"
				className={styles.input}
				data-kind={isCode ? 'code' : undefined}
				spellCheck={!isCode}
				autoComplete="off"
				onChange={({ target }) => onChange(target.value)}
				{...rest}
			/>
		</div>
	);
}

type SelectFieldProps = {
	label: string;
	value: string;
	/** Values with their words. */
	options: readonly (readonly [value: string, words: string])[];
	onChange: (value: string) => void;
};

export function SelectField({ label, value, options, onChange }: SelectFieldProps) {
	const id = useId();
	return (
		<div className={styles.field}>
			<label htmlFor={id}>{label}</label>
			<select id={id} className={styles.input} value={value} onChange={({ target }) => onChange(target.value)}>
				{options.map(([one, words]) => (
					<option key={one} value={one}>
						{words}
					</option>
				))}
			</select>
		</div>
	);
}

type RadiosProps<T extends string> = {
	legend: string;
	values: readonly T[];
	words: Readonly<Record<T, string>>;
	value: T;
	onPick: (value: T) => void;
};

export function Radios<T extends string>({ legend, values, words, value, onPick }: RadiosProps<T>) {
	const name = useId();
	return (
		<fieldset className={styles.field}>
			<legend>{legend}</legend>
			<div className={styles.radios}>
				{values.map((one) => (
					<label key={one}>
						<input type="radio" name={name} value={one} checked={one === value} onChange={() => onPick(one)} />
						<span>{words[one]}</span>
					</label>
				))}
			</div>
		</fieldset>
	);
}
