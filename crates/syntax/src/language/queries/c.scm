; What the queries of C and C++ both lack.
(preproc_function_def name: (identifier) @name) @definition.macro
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
(translation_unit (declaration
    declarator: (init_declarator declarator: (identifier) @name)) @definition.constant)
(translation_unit (declaration declarator: (init_declarator
    declarator: (_ declarator: (identifier) @name))) @definition.constant)
(preproc_ifdef (declaration
    declarator: (init_declarator declarator: (identifier) @name)) @definition.constant)
(preproc_ifdef (declaration declarator: (init_declarator
    declarator: (_ declarator: (identifier) @name))) @definition.constant)
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator
    (pointer_declarator declarator: (type_identifier) @name)))) @definition.type
(enumerator name: (identifier) @bound)
(field_declaration declarator: (field_identifier) @bound)
(parameter_declaration declarator: (identifier) @bound)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @bound))
(init_declarator declarator: (identifier) @bound)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @bound))
(declaration declarator: (identifier) @bound)
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression field: (field_identifier) @name)) @reference.call
