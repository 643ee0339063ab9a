; What the query of JavaScript lacks, and that of TypeScript has.
(formal_parameters (identifier) @bound)
(field_definition property: (_) @bound)
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.method
