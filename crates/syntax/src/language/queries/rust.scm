; What the query of the grammar lacks.
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.constant
(function_signature_item name: (identifier) @name) @definition.method
(impl_item type: (_) @name) @definition.impl
(associated_type name: (type_identifier) @bound)
(enum_variant name: (identifier) @bound)
(field_declaration name: (field_identifier) @bound)
(let_declaration pattern: (identifier) @bound)
(let_declaration pattern: (mut_pattern (identifier) @bound))
(parameter pattern: (identifier) @bound)
(parameter pattern: (mut_pattern (identifier) @bound))
(call_expression function: (scoped_identifier name: (identifier) @name)) @reference.call
(call_expression function: (generic_function function: (identifier) @name)) @reference.call
(call_expression function: (generic_function
    function: (scoped_identifier name: (identifier) @name))) @reference.call
(call_expression function: (generic_function
    function: (field_expression field: (field_identifier) @name))) @reference.call
(macro_invocation macro: (scoped_identifier name: (identifier) @name)) @reference.call
(token_tree (identifier) @name . (token_tree "(")) @reference.call
