; What the queries of JavaScript and TypeScript both lack.
(method_definition name: (private_property_identifier) @name) @definition.method
(variable_declarator name: (identifier) @bound)
(arrow_function parameter: (identifier) @bound)
(assignment_pattern left: (identifier) @bound)
(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant))
(program (export_statement
    (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)))
