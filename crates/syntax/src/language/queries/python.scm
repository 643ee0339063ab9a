; What the query of the grammar lacks.
(assignment left: (identifier) @bound)
(class_definition body: (block (expression_statement (assignment left: (identifier) @bound))))
(parameters (identifier) @bound)
(default_parameter name: (identifier) @bound)
(typed_parameter (identifier) @bound)
(typed_default_parameter name: (identifier) @bound)
(for_statement left: (identifier) @bound)
(as_pattern_target (identifier) @bound)
