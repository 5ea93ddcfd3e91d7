// A button by its weight: the main action of a form, an ordinary one, one in a row, or one that removes something.
import type { ComponentProps } from 'react';
import styles from './button.module.css';

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & { look?: 'primary' | 'danger' | 'quiet' };

export function Button({ look, type = 'button', ...rest }: ButtonProps) {
	return <button type={type} className={styles.button} data-look={look} {...rest} />;
}
